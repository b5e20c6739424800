//! A Hugging Face Hub on loopback that serves one directory: as much of its interface as a download uses.

#![allow(dead_code, clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use sha2::{Digest, Sha256};

/// Answers any repository and revision with the same files, as the commit it was started with.
pub(crate) struct HubServer {
    endpoint: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Request {
    pub(crate) path: String,
    /// The first byte asked for.
    pub(crate) from: usize,
    pub(crate) authorization: Option<String>,
}

#[derive(Clone)]
struct Served {
    directory: PathBuf,
    commit: String,
    /// Whether the stated hashes are those of the files.
    honest: bool,
}

impl HubServer {
    pub(crate) fn start(directory: impl Into<PathBuf>, commit: &str) -> Self {
        Self::serve(Served { directory: directory.into(), commit: commit.into(), honest: true })
    }

    /// A server whose files are not those that their stated hashes promise.
    pub(crate) fn start_corrupt(directory: impl Into<PathBuf>, commit: &str) -> Self {
        Self::serve(Served { directory: directory.into(), commit: commit.into(), honest: false })
    }

    fn serve(served: Served) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let log = requests.clone();
        // It ends with the test process.
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                answer(&served, stream.unwrap(), &log);
            }
        });
        Self { endpoint, requests }
    }

    pub(crate) fn endpoint(&self) -> &str {
        &self.endpoint
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }
}

/// The name that the cache gives to a file's content.
pub(crate) fn etag(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn answer(served: &Served, mut stream: TcpStream, log: &Mutex<Vec<Request>>) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let Some(first) = lines.next() else { return };
    let mut request = Request { path: first.split(' ').nth(1).unwrap().to_owned(), ..Request::default() };
    let mut until = None;
    for line in lines.take_while(|line| !line.is_empty()) {
        let (name, value) = line.split_once(": ").unwrap();
        match name.to_ascii_lowercase().as_str() {
            "range" => {
                let (from, to) = value.strip_prefix("bytes=").unwrap().split_once('-').unwrap();
                request.from = from.parse().unwrap();
                until = to.parse::<usize>().ok();
            }
            "authorization" => request.authorization = Some(value.to_owned()),
            _ => {}
        }
    }
    log.lock().unwrap().push(request.clone());

    let file = served.directory.join(request.path.rsplit('/').next().unwrap());
    let Ok(content) = fs::read(file) else {
        write!(stream, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").unwrap();
        return;
    };
    let part = &content[request.from..until.map_or(content.len(), |last| last + 1)];
    let etag = if served.honest { etag(&content) } else { etag(&[content.as_slice(), b"!"].concat()) };
    write!(
        stream,
        "HTTP/1.1 206 Partial Content\r\nETag: \"{etag}\"\r\nX-Repo-Commit: {}\r\nContent-Range: bytes {}-{}/{}\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n",
        served.commit,
        request.from,
        request.from + part.len() - 1,
        content.len(),
        part.len()
    )
    .unwrap();
    // A client that asked for one byte may have gone already.
    let _ = stream.write_all(part);
}

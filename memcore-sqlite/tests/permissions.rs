//! Who may read new files, and what happens where this user may not write.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a failed expectation of a test is a panic")]

use std::{
    fs,
    os::unix::{
        fs::{MetadataExt, PermissionsExt},
        process::CommandExt,
    },
    path::Path,
    process::Command,
    sync::Arc,
};

use memcore_core::{Change, ErrorKind, MemoryStore};
use memcore_sqlite::SqliteStore;
use memcore_testkit::{Writer, sample};

const DATABASE: &str = "MEMCORE_SQLITE_TEST_READ_ONLY";

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Starts this program again for one of its tests; the program is copied to where any user can reach it.
fn again(folder: &Path, test: &str) -> Command {
    let program = folder.join("program");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    set_mode(&program, 0o755);
    let mut command = Command::new(program);
    command.args([test, "--exact", "--nocapture"]).env_remove("LLVM_PROFILE_FILE");
    command
}

fn assert_passes(mut command: Command) {
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&said));
}

/// What the other process is: it may not write where the database is.
#[tokio::test]
async fn reader_process() {
    let Ok(database) = std::env::var(DATABASE) else { return };
    let store = Arc::new(SqliteStore::open(&database).await.unwrap());
    assert!(store.is_read_only());
    let found = store.get(&sample::user_scope("ada"), &[sample::memory_id(1)]).await.unwrap();
    assert_eq!(found[0].content, "may be read");
    let change = Change::Touch { ids: vec![sample::memory_id(1)], at: sample::at(1) };
    let error = Writer::new(store).change("ada", change).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ReadOnly);
    let beside = Path::new(&database).with_file_name("new.db");
    let error = SqliteStore::open(&beside).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ReadOnly, "{error:?}");
    assert!(error.hint().is_some() && !beside.exists());
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_opens_for_reading() {
    let folder = tempfile::tempdir().unwrap();
    set_mode(folder.path(), 0o755);
    let inner = folder.path().join("inner");
    let database = inner.join("memory.db");
    let store = Arc::new(SqliteStore::open(&database).await.unwrap());
    Writer::new(store.clone()).insert(&sample::record(1, &sample::user_scope("ada"), "may be read")).await;
    drop(store);
    fs::remove_file(inner.join("memory.db.lock")).unwrap();
    set_mode(&database, 0o444);
    set_mode(&inner, 0o555);
    let before = fs::read(&database).unwrap();
    let mut command = again(folder.path(), "reader_process");
    command.env(DATABASE, &database);
    // The superuser may write anywhere, so it sends somebody else.
    if fs::metadata(&inner).unwrap().uid() == 0 {
        command.uid(65_534).gid(65_534);
    }
    assert_passes(command);
    assert!(fs::read(&database).unwrap() == before);
    set_mode(&inner, 0o755);
}

/// What the other process is: its files would be writable by everybody, if they were not asked for otherwise.
#[tokio::test]
async fn careless_process() {
    let Ok(database) = std::env::var("MEMCORE_SQLITE_TEST_CARELESS") else { return };
    let store = Arc::new(SqliteStore::open(&database).await.unwrap());
    Writer::new(store.clone()).insert(&sample::record(1, &sample::user_scope("ada"), "for Ada's eyes")).await;
    for ending in ["", "-wal", "-shm", ".lock"] {
        assert_eq!(mode(Path::new(&format!("{database}{ending}"))), 0o600, "{ending}");
    }
}

#[test]
fn new_files_are_for_their_owner_only_even_without_a_umask() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("a/b/memory.db");
    let program = again(folder.path(), "careless_process");
    let mut shell = Command::new("sh");
    shell.args(["-c", "umask 000; exec \"$@\"", "sh"]).arg(program.get_program()).args(program.get_args());
    shell.env("MEMCORE_SQLITE_TEST_CARELESS", &database);
    assert_passes(shell);
    assert_eq!((mode(&folder.path().join("a")), mode(&folder.path().join("a/b"))), (0o700, 0o700));
}

//! Settings of one run: flag over environment over configuration file over default.

use std::{
    env, fmt,
    path::{Path, PathBuf},
};

use etcetera::base_strategy::{BaseStrategy, Xdg};
use memcore::{
    Scope, Settings,
    core::{ProjectId, SessionId, UserId},
};

use crate::{
    arguments::Globals,
    choices::{EmbedderChoice, ExtractorChoice},
    config_file::ConfigFile,
    exit::{Exit, Failure},
    output::{ColorChoice, Output},
};

/// The settings of one run.
#[derive(Debug)]
pub(crate) struct Config {
    pub(crate) db: PathBuf,
    pub(crate) scope: Scope,
    pub(crate) embedder: EmbedderChoice,
    pub(crate) extractor: ExtractorChoice,
    /// Where sentence models are; none means where their loader looks by default.
    #[cfg_attr(not(feature = "candle"), expect(dead_code, reason = "only sentence models are in folders"))]
    pub(crate) model_dir: Option<PathBuf>,
    pub(crate) settings: Settings,
    pub(crate) color: ColorChoice,
}

/// How to print: known before any file is read, so that errors in files are printed in the right form.
pub(crate) fn output(globals: &Globals) -> Output {
    Output {
        json: globals.json || is_on("MEMCORE_JSON"),
        quiet: globals.quiet || is_on("MEMCORE_QUIET"),
        verbosity: globals.verbose.max(u8::from(is_on("MEMCORE_VERBOSE"))),
        color: globals.color.unwrap_or_default(),
    }
}

impl Config {
    /// Reads the environment and the configuration file.
    pub(crate) fn read(globals: &Globals) -> Result<Self, Failure> {
        let file = config_file(globals)?;
        let db = match pick(path_text(globals.db.as_deref())?, "--db", "MEMCORE_DB", file.db.clone()) {
            Some(given) if given.value.contains("://") => {
                let message = format!("{}: this build of memcore keeps memories in files only", given.from);
                return Err(Failure::unsupported(message).with_hint("give the path of a file"));
            }
            Some(given) if given.value.is_empty() => return Err(given.refused("a path must not be empty")),
            Some(Given { value, from: From::File }) => below_home(&value)?,
            Some(given) => PathBuf::from(given.value),
            None => strategy()?.data_dir().join("memcore").join("memory.db"),
        };
        let user = match pick(globals.user.clone(), "--user", "MEMCORE_USER", file.user.clone()) {
            Some(given) => given.parse(UserId::new)?,
            None => login_name()?,
        };
        let project = pick(globals.project.clone(), "--project", "MEMCORE_PROJECT", file.project.clone());
        let session = pick(globals.session.clone(), "--session", "MEMCORE_SESSION", file.session.clone());
        let scope = Scope::of_user(user)
            .with_project(project.map(|given| given.parse(ProjectId::new)).transpose()?)
            .with_session(session.map(|given| given.parse(SessionId::new)).transpose()?);
        let embedder = pick(globals.embedder.clone(), "--embedder", "MEMCORE_EMBEDDER", file.embedder.clone());
        let extractor = pick(globals.extractor.clone(), "--extractor", "MEMCORE_EXTRACTOR", file.extractor.clone());
        let model_dir = match (variable("MEMCORE_MODEL_DIR"), &file.model_dir) {
            (Some(folder), _) => Some(PathBuf::from(folder)),
            (None, Some(folder)) => Some(below_home(folder)?),
            (None, None) => None,
        };
        Ok(Self {
            db,
            scope,
            embedder: embedder.map_or(Ok(EmbedderChoice::Builtin), |given| EmbedderChoice::parse(&given.value))?,
            extractor: extractor.map_or(Ok(ExtractorChoice::Rules), |given| ExtractorChoice::parse(&given.value))?,
            model_dir,
            color: color(globals.color, file.color)?,
            settings: file.settings(),
        })
    }
}

/// Whether a flag's environment variable switches it on.
pub(crate) fn is_on(name: &str) -> bool {
    variable(name).is_some_and(|value| !matches!(value.to_lowercase().as_str(), "0" | "false" | "no" | "off"))
}

/// The folder of the log; none where there is no home.
pub(crate) fn state_folder() -> Option<PathBuf> {
    let strategy = strategy().ok()?;
    Some(strategy.state_dir()?.join("memcore"))
}

fn config_file(globals: &Globals) -> Result<ConfigFile, Failure> {
    let named = globals.config.clone().or_else(|| variable("MEMCORE_CONFIG").map(PathBuf::from));
    match named {
        Some(path) => ConfigFile::read(&path),
        None => match strategy() {
            Ok(strategy) => ConfigFile::read_if_there(&strategy.config_dir().join("memcore").join("config.toml")),
            // Without a home there is no such file; what needs a home says so.
            Err(_) => Ok(ConfigFile::default()),
        },
    }
}

fn color(flag: Option<ColorChoice>, file: Option<ColorChoice>) -> Result<ColorChoice, Failure> {
    match (flag, variable("MEMCORE_COLOR").as_deref()) {
        (Some(color), _) => Ok(color),
        (None, None) => Ok(file.unwrap_or_default()),
        (None, Some("auto")) => Ok(ColorChoice::Auto),
        (None, Some("always")) => Ok(ColorChoice::Always),
        (None, Some("never")) => Ok(ColorChoice::Never),
        (None, Some(_)) => Err(Failure::configuration("MEMCORE_COLOR is auto, always or never")),
    }
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum From {
    Flag(&'static str),
    Environment(&'static str),
    File,
}

impl fmt::Display for From {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(name) | Self::Environment(name) => f.write_str(name),
            Self::File => f.write_str("the configuration file"),
        }
    }
}

struct Given {
    value: String,
    from: From,
}

impl Given {
    fn parse<T>(self, parse: impl FnOnce(String) -> memcore::Result<T>) -> Result<T, Failure> {
        let from = self.from;
        parse(self.value).map_err(|error| refused(from, &error.to_string()))
    }

    fn refused(&self, why: &str) -> Failure {
        refused(self.from, why)
    }
}

fn refused(from: From, why: &str) -> Failure {
    let exit = if matches!(from, From::Flag(_)) { Exit::Usage } else { Exit::Configuration };
    Failure::new(exit, "invalid_input", format!("{from}: {why}"))
}

/// The value with the highest precedence. An empty environment variable is none; an empty flag is a mistake.
fn pick(
    flag: Option<String>,
    flag_name: &'static str,
    variable_name: &'static str,
    file: Option<String>,
) -> Option<Given> {
    let given = |from| move |value| Given { value, from };
    flag.map(given(From::Flag(flag_name)))
        .or_else(|| variable(variable_name).map(given(From::Environment(variable_name))))
        .or_else(|| file.map(given(From::File)))
}

fn variable(name: &str) -> Option<String> {
    env::var_os(name).map(|value| value.to_string_lossy().into_owned()).filter(|value| !value.is_empty())
}

fn path_text(path: Option<&Path>) -> Result<Option<String>, Failure> {
    match path {
        None => Ok(None),
        Some(path) => match path.to_str() {
            Some(text) => Ok(Some(text.to_owned())),
            None => Err(Failure::usage("--db: the path is not valid Unicode")),
        },
    }
}

/// A path of the configuration file, where `~` stands for the home.
fn below_home(path: &str) -> Result<PathBuf, Failure> {
    match path.strip_prefix("~/") {
        Some(rest) => Ok(strategy()?.home_dir().join(rest)),
        None => Ok(PathBuf::from(path)),
    }
}

fn strategy() -> Result<Xdg, Failure> {
    Xdg::new().map_err(|_| {
        Failure::configuration("the home directory is not known").with_hint("set HOME, or give --db and --config")
    })
}

fn login_name() -> Result<UserId, Failure> {
    let unknown =
        || Failure::configuration("the login name is not known").with_hint("give --user, or set MEMCORE_USER");
    UserId::new(whoami::username().map_err(|_| unknown())?).map_err(|_| unknown())
}

//! The shape of the workspace: which way dependencies point, and what the tree must not hold.
#![expect(clippy::unwrap_used, reason = "the helpers of tests state what they expect by unwrapping")]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

/// What each crate may know of ours, beside dev-dependencies.
const ARROWS: [(&str, &[&str]); 11] = [
    ("memcore-core", &[]),
    ("memcore-testkit", &["memcore-core"]),
    ("memcore-sqlite", &["memcore-core"]),
    ("memcore-builtin", &["memcore-core"]),
    ("memcore-candle", &["memcore-core"]),
    ("memcore-llm", &["memcore-core"]),
    ("memcore", &["memcore-core", "memcore-sqlite", "memcore-builtin", "memcore-candle", "memcore-llm"]),
    ("memcore-cli", &["memcore"]),
    ("memcore-examples", &["memcore"]),
    ("memcore-tests", &["memcore"]),
    ("memcore-benches", &["memcore"]),
];

/// Crates that a default build must not reach through features: they are heavy.
const HEAVY: [&str; 2] = ["memcore-candle", "memcore-llm"];

/// The longest source file, in lines; tests may be longer.
const MAX_LINES: usize = 600;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn packages() -> BTreeMap<String, Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let sorted = |key: &str| {
        let mut ids: Vec<&str> = metadata[key].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        ids.sort_unstable();
        ids
    };
    assert_eq!(
        sorted("workspace_members"),
        sorted("workspace_default_members"),
        "every member is a default member, or a bare `cargo test` skips it"
    );
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages.map(|package| (package["name"].as_str().unwrap().to_owned(), package.clone())).collect()
}

/// Every tracked kind of source below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if name != "target" && !name.starts_with('.') {
                sources(&path, found);
            }
        } else if name.ends_with(".rs") {
            found.push(path);
        }
    }
}

fn rust_files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    sources(&root(), &mut found);
    assert!(found.len() > 50, "the sources were not found");
    found
}

fn is_test(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "tests") || path.ends_with("tests.rs")
}

#[test]
fn dependencies_point_down() {
    let packages = packages();
    let allowed: BTreeMap<&str, &[&str]> = ARROWS.into_iter().collect();
    for (name, package) in &packages {
        let allowed = allowed.get(name.as_str()).unwrap_or_else(|| panic!("{name} is not in the table of arrows"));
        for dependency in package["dependencies"].as_array().unwrap() {
            let (on, kind) = (dependency["name"].as_str().unwrap(), &dependency["kind"]);
            if on.starts_with("memcore") && kind.is_null() {
                assert!(allowed.contains(&on), "{name} must not depend on {on}");
            }
        }
    }
}

#[test]
fn no_default_feature_switches_on_a_heavy_backend() {
    for (name, package) in packages() {
        for dependency in package["dependencies"].as_array().unwrap() {
            let on = dependency["name"].as_str().unwrap();
            if HEAVY.contains(&on) && dependency["kind"].is_null() {
                assert_eq!(dependency["optional"], true, "{name} depends on {on} unconditionally");
            }
        }
        let defaults = package["features"]["default"].as_array().cloned().unwrap_or_default();
        for feature in ["candle", "hub", "llm", "full"] {
            assert!(!defaults.contains(&Value::from(feature)), "{name} has {feature} on by default");
        }
    }
}

#[test]
fn every_backend_has_the_same_files() {
    for (backend, traits) in [
        ("memcore-sqlite", &["memory_store.rs", "vector_store.rs", "builder.rs"][..]),
        ("memcore-builtin", &["embedder.rs"]),
        ("memcore-candle", &["embedder.rs", "builder.rs"]),
    ] {
        let folder = root().join(backend);
        for file in ["lib.rs", "error.rs"].iter().chain(traits) {
            assert!(folder.join("src").join(file).exists(), "{backend} lacks src/{file}");
        }
        assert!(folder.join("tests/conformance.rs").exists(), "{backend} does not run the conformance suite");
    }
}

#[test]
fn policy_is_pure() {
    for path in rust_files().iter().filter(|path| path.to_string_lossy().contains("/memcore/src/policy/")) {
        let text = fs::read_to_string(path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        for impure in ["async ", ".await", "std::fs", "std::env", "Utc::now", "SystemTime", "tokio::"] {
            assert!(!code.contains(impure), "{} holds {impure:?}", path.display());
        }
    }
}

#[test]
fn backends_read_no_clock_and_no_environment() {
    for path in rust_files() {
        let name = path.to_string_lossy().into_owned();
        let is_backend =
            ["memcore-sqlite/src", "memcore-builtin/src", "memcore-candle/src"].iter().any(|of| name.contains(of));
        if is_backend && !is_test(&path) {
            let text = fs::read_to_string(&path).unwrap();
            for foreign in ["Utc::now", "SystemTime::now", "env::var", "thread_rng", "now_v7"] {
                assert!(!text.contains(foreign), "{name} holds {foreign:?}");
            }
        }
    }
}

#[test]
fn sources_are_short_and_finished() {
    // Written in two parts, so that this file does not find itself.
    let unfinished = [concat!("todo", "!("), concat!("unimplemented", "!("), concat!("#[", "ignore")];
    for path in rust_files() {
        let text = fs::read_to_string(&path).unwrap();
        let lines = text.lines().count();
        assert!(is_test(&path) || lines <= MAX_LINES, "{} has {lines} lines: split it by concept", path.display());
        for mark in unfinished {
            assert!(!text.contains(mark), "{} holds {mark}", path.display());
        }
    }
}

#[test]
fn every_module_says_what_lives_in_it() {
    for path in rust_files() {
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.trim_start().starts_with("//!"), "{} does not begin with a module comment", path.display());
    }
}

//! Loading: where models are looked for, and that every failure says what to do.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod tiny_model;

use std::fs;
use std::path::Path;

use memcore_candle::{BertEmbedder, MiniLm, ModelSource};
use memcore_core::{Embedder, Error, ErrorKind};
use serde_json::json;

/// The error of loading a tiny model after `break_it` has changed its directory.
fn broken(break_it: impl FnOnce(&Path)) -> Error {
    let directory = tiny_model::directory();
    break_it(directory.path());
    tiny_model::builder(directory.path()).build().unwrap_err()
}

#[track_caller]
fn check(error: &Error, message: &str, hint: &str) {
    assert_eq!(error.kind(), ErrorKind::ModelUnavailable, "{error:?}");
    assert!(error.to_string().contains(message), "{error:?}");
    assert!(error.hint().unwrap().contains(hint), "{error:?}");
}

fn change(directory: &Path, file: &str, change: impl FnOnce(&mut serde_json::Value)) {
    let path = directory.join(file);
    let mut value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut value);
    fs::write(path, value.to_string()).unwrap();
}

#[test]
fn a_directory_that_does_not_exist_is_named() {
    let error = tiny_model::builder(Path::new("no/such/model")).build().unwrap_err();
    check(&error, "no/such/model", "model.safetensors, tokenizer.json and config.json");
    let error = broken(|directory| {
        fs::remove_dir_all(directory).unwrap();
        fs::write(directory, "a file").unwrap();
    });
    check(&error, "does not exist", "directory that holds");
}

#[test]
fn a_missing_file_is_named() {
    for (file, hint) in
        [("model.safetensors", "pytorch_model.bin"), ("tokenizer.json", "same repo"), ("config.json", "same repo")]
    {
        let error = broken(|directory| fs::remove_file(directory.join(file)).unwrap());
        check(&error, &format!("has no {file}"), hint);
    }
}

#[test]
fn a_directory_in_place_of_a_file_cannot_be_read() {
    for file in ["model.safetensors", "tokenizer.json", "config.json"] {
        let error = broken(|directory| {
            fs::remove_file(directory.join(file)).unwrap();
            fs::create_dir(directory.join(file)).unwrap();
        });
        check(&error, file, "regular file");
    }
}

#[test]
fn broken_json_is_told_from_missing_files() {
    for text in ["", "{", "[1, 2]", "{}", "\u{0}\u{1}"] {
        let error = broken(|directory| fs::write(directory.join("config.json"), text).unwrap());
        check(&error, "config.json is not a BERT configuration", "download it again");
        let error = broken(|directory| fs::write(directory.join("tokenizer.json"), text).unwrap());
        check(&error, "tokenizer.json is not a tokenizer", "download it again");
    }
}

#[test]
fn weights_that_are_cut_off_or_garbage_are_refused() {
    let whole = {
        let directory = tiny_model::directory();
        fs::read(directory.path().join("model.safetensors")).unwrap()
    };
    let half_a_header = &whole[..100];
    let cut_off = &whole[..whole.len() - 1];
    for bytes in [&[][..], &whole[..4], half_a_header, cut_off, b"\x80\x02}q\x00 a pickle", &[0xff; 64]] {
        let error = broken(|directory| fs::write(directory.join("model.safetensors"), bytes).unwrap());
        check(&error, "model.safetensors", "cut off");
    }
}

#[test]
fn weights_of_other_shapes_or_another_model_are_refused() {
    for (key, value) in [("hidden_size", 64), ("num_hidden_layers", 3), ("vocab_size", 500), ("intermediate_size", 1)] {
        let error = broken(|directory| change(directory, "config.json", |config| config[key] = json!(value)));
        check(&error, "does not hold the weights that config.json describes", "same repository");
    }
}

#[test]
fn a_model_of_another_architecture_is_refused_by_name() {
    for (key, value, message) in [
        ("model_type", json!("xlm-roberta"), "xlm-roberta"),
        ("num_attention_heads", json!(0), "attention heads"),
        ("num_attention_heads", json!(5), "attention heads"),
        ("hidden_size", json!(0), "hidden_size 0"),
        ("pad_token_id", json!(10_000), "padding token"),
    ] {
        let error = broken(|directory| change(directory, "config.json", |config| config[key] = value));
        check(&error, message, "BERT");
    }
}

#[test]
fn a_tokenizer_of_another_model_is_refused() {
    let error = broken(|directory| {
        change(directory, "tokenizer.json", |tokenizer| tokenizer["model"]["vocab"]["foreign"] = json!(9_000));
    });
    check(&error, "9001 tokens", "same repository");
}

#[test]
fn other_weights_than_expected_are_refused() {
    let directory = tiny_model::directory();
    let error = tiny_model::builder(directory.path()).expect_weights_sha256("00ff").build().unwrap_err();
    check(&error, "not the expected 00ff", "download it again");
}

#[test]
fn limits_that_the_model_cannot_keep_are_invalid_input() {
    let directory = tiny_model::directory();
    let too_many = tiny_model::builder(directory.path()).max_tokens(tiny_model::POSITIONS + 1).build();
    let too_few = tiny_model::builder(directory.path()).max_tokens(9).build();
    let no_room = tiny_model::builder(directory.path()).query_prefix("tea ".repeat(60)).build();
    for result in [too_many, too_few, no_room] {
        assert_eq!(result.unwrap_err().kind(), ErrorKind::InvalidInput);
    }
}

#[test]
fn a_model_dir_holds_one_directory_per_model() {
    let models = tempfile::tempdir().unwrap();
    tiny_model::write(&models.path().join("tiny"));
    let source = ModelSource::from_model_dir(Some(models.path().to_owned()));
    assert_eq!(BertEmbedder::builder("tiny", source.clone()).build().unwrap().identity().model, "tiny");
    let error = MiniLm::load(source).unwrap_err();
    check(&error, &models.path().join("minilm").display().to_string(), "model.safetensors");
}

#[cfg(not(feature = "hub"))]
#[test]
fn without_the_hub_the_default_source_says_what_to_do() {
    for result in [
        MiniLm::load(ModelSource::default()),
        memcore_candle::E5Small::load(ModelSource::default()),
        memcore_candle::BgeSmallEn::load(ModelSource::default()),
        memcore_candle::BgeSmallZh::load(ModelSource::default()),
    ] {
        let error = result.unwrap_err();
        check(&error, "no model directory was given", "model.safetensors, tokenizer.json and config.json");
        check(&error, "Hugging Face Hub", "feature `hub`");
    }
}

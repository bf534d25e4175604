//! The shared vectors, through every language.

use std::process::Command;

use serde::Deserialize;

use crate::languages::{Language, interpreter, project};

const VECTORS: &str = "docs/vectors/webhook-signatures.json";
const SCRIPT: &str = "docs/vectors/webhook_signatures.py";

#[derive(Deserialize)]
struct File {
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    name: String,
    verdict: String,
}

#[test]
fn the_vectors_are_what_the_script_writes() {
    let Some(python) = interpreter("python3", SCRIPT) else { return };
    let output = Command::new(python).arg(project(SCRIPT)).output().expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let kept = std::fs::read(project(VECTORS)).expect("the vectors");
    assert!(output.stdout == kept, "run: python3 {SCRIPT} > {VECTORS}");
}

/// Each vector arrives while its first attempt is at work, which then fails; again, with success; and once more.
///
/// The line says: the verdict, the status of the arrival in between, those of the three, and how often work was done.
fn expected(verdict: &str) -> String {
    match verdict {
        "accepted" => "accepted 503 500,200,200 2".to_owned(),
        // The receiver is not set up: it must not tell the service that the request was bad.
        "no_usable_secret" => format!("{verdict} - 500,500,500 0"),
        refused => format!("{refused} - 400,400,400 0"),
    }
}

fn every_vector_gets_its_verdict_in(language: Language) {
    let Some(mut reader) = language.reader(&project(VECTORS)) else { return };
    let output = reader.command.output().expect("the receiver runs");
    assert!(output.status.success(), "{language:?}: {}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<&str> = lines.lines().collect();

    let file = std::fs::read_to_string(project(VECTORS)).expect("the vectors");
    let File { vectors } = serde_json::from_str(&file).expect("the vectors");
    assert!(vectors.len() >= 200, "{}", vectors.len());
    assert_eq!(lines.len(), vectors.len(), "{language:?}");
    for (vector, line) in vectors.iter().zip(lines) {
        assert_eq!(line, expected(&vector.verdict), "{language:?}: {}", vector.name);
    }
}

#[test]
fn the_receiver_in_node_agrees_with_every_vector() {
    every_vector_gets_its_verdict_in(Language::Node);
}

#[test]
fn the_receiver_in_python_agrees_with_every_vector() {
    every_vector_gets_its_verdict_in(Language::Python);
}

#[test]
fn the_receiver_in_go_agrees_with_every_vector() {
    every_vector_gets_its_verdict_in(Language::Go);
}

#[test]
fn the_receiver_in_php_agrees_with_every_vector() {
    every_vector_gets_its_verdict_in(Language::Php);
}

#[test]
fn the_receiver_in_ruby_agrees_with_every_vector() {
    every_vector_gets_its_verdict_in(Language::Ruby);
}

//! What commands print: text for people, JSON for programs.
//!
//! Data goes to standard output, everything else to standard error. A reader
//! that went away (`svc-server token list | head -1`) is no failure.

use std::io::{self, IsTerminal as _, Write as _};

use comfy_table::{ContentArrangement, Table, presets};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// How a command prints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    json: bool,
    colour: bool,
}

/// What a text says of itself by its colour.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tone {
    /// It went well.
    Good,
    /// It did not.
    Bad,
    /// It is beside the point.
    Quiet,
}

/// What a command has to say at its end, in both forms. It may hold the value of a token, so it has no `Debug`.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answer {
    json: String,
    text: String,
}

impl Answer {
    /// `value` for programs, `text` for people.
    pub(crate) fn new(value: &impl Serialize, text: impl Into<String>) -> Self {
        Self { json: json(value), text: text.into() }
    }
}

impl Output {
    /// Colours in a terminal, unless `NO_COLOR` is set (<https://no-color.org>).
    pub(crate) fn new(json: bool) -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Self { json, colour: wanted && io::stdout().is_terminal() }
    }

    /// Whether a program reads along.
    pub(crate) fn is_json(self) -> bool {
        self.json
    }

    /// `value` as one line of JSON for programs, or `text` for people.
    pub(crate) fn either(self, value: &impl Serialize, text: impl FnOnce() -> String) {
        if self.json { line(json(value)) } else { line(text()) }
    }

    /// The form of the answer that is wanted.
    pub(crate) fn answer(self, answer: &Answer) {
        line(if self.json { &answer.json } else { &answer.text });
    }

    /// Rows under headings, or `value` as JSON.
    pub(crate) fn table(self, value: &impl Serialize, headings: &[&str], rows: Vec<Vec<String>>) {
        self.either(value, || grid(headings, rows));
    }

    /// The text, coloured where colours are seen.
    pub(crate) fn tone(self, tone: Tone, text: &str) -> String {
        let code = match tone {
            Tone::Good => "32",
            Tone::Bad => "31",
            Tone::Quiet => "2",
        };
        if self.colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    /// A remark beside the data.
    pub(crate) fn note(self, text: impl AsRef<str>) {
        if !self.json {
            complain(text.as_ref());
        }
    }

    /// How far a command is, in the place of the word before; an empty text takes it away. Only terminals show it.
    pub(crate) fn progress(self, text: &str) {
        let mut stderr = io::stderr().lock();
        if !self.json && stderr.is_terminal() {
            // The start of the line, and the rest of it cleared.
            drop(write!(stderr, "\r{text}\u{1b}[K").and_then(|()| stderr.flush()));
        }
    }

    /// Why the command failed.
    pub(crate) fn failure(self, failure: &Failure) {
        if self.json {
            let body = serde_json::json!({"error": {
                "code": failure.code(),
                "message": failure.message(),
                "hint": failure.hint_text(),
            }});
            complain(&body.to_string());
            return;
        }
        complain(&format!("error: {}", failure.message()));
        if let Some(hint) = failure.hint_text() {
            complain(&format!("  try: {hint}"));
        }
    }
}

/// Rows under headings, as wide as the terminal.
pub(crate) fn grid(headings: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(headings.to_vec()).add_rows(rows);
    table.to_string()
}

/// Prints one line of data.
pub(crate) fn line(text: impl AsRef<str>) {
    let mut stdout = io::stdout().lock();
    let written = writeln!(stdout, "{}", text.as_ref()).and_then(|()| stdout.flush());
    drop(written);
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("what commands print has string keys only")
}

fn complain(text: &str) {
    let written = writeln!(io::stderr().lock(), "{text}");
    drop(written);
}

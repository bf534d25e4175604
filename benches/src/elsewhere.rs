//! This executable once more, as what is hostile.
//!
//! In truth attackers are on other machines. Here they share the processors with all that is measured, and some of them
//! do a lot. So they are a process of their own, lowest in priority (`nice`), and what they use is told apart from
//! what the server does.

use std::env::current_exe;
use std::io::{BufRead as _, BufReader, Read as _, Write as _, stdin, stdout};
use std::process::{Child, Command, Stdio};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::usage::Usage;

/// A process of this executable; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Elsewhere(Child);

impl Elsewhere {
    /// Starts it with this command, tells it `input` and waits for its answer.
    ///
    /// # Panics
    /// When it does not start.
    pub(crate) fn start<A: DeserializeOwned>(part: &str, input: &impl Serialize) -> (Self, A) {
        let mut command = Command::new("nice");
        command.args(["-n", "19"]).arg(current_exe().expect("it has a path")).arg(part);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let told = serde_json::to_string(input).expect("JSON");
        writeln!(child.stdin.as_mut().expect("piped"), "{told}").expect("it reads");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        (Self(child), serde_json::from_str(&line).expect("its answer"))
    }

    /// What it costs.
    pub(crate) fn usage(&self) -> Usage {
        Usage::of(self.0.id())
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        // Without its input it ends by itself; it may have done so.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// What the process that started this one told it.
///
/// # Panics
/// When it told nothing.
pub(crate) fn told<I: DeserializeOwned>() -> I {
    let mut line = String::new();
    stdin().read_line(&mut line).expect("a line");
    serde_json::from_str(&line).expect("JSON")
}

/// Answers the process that started this one, and waits until that one ends.
///
/// # Panics
/// When the answer is not read.
pub(crate) fn answer(answer: &impl Serialize) {
    writeln!(stdout(), "{}", serde_json::to_string(answer).expect("JSON")).expect("it is read");
    stdin().read_to_end(&mut Vec::new()).expect("nothing more is told");
}

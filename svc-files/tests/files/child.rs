//! This test program once more, as a process that may be killed.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The folder of the store that the other process uses; a test that plays it does nothing without.
pub(crate) const FOLDER: &str = "SVC_FILES_TEST_FOLDER";

/// A process that runs one test; it ends with this.
pub(crate) struct Other {
    process: Child,
    lines: BufReader<ChildStdout>,
    _input: ChildStdin,
}

impl Other {
    pub(crate) fn run(test: &str, folder: &Path) -> Self {
        let mut process = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", test, "--nocapture"])
            .env(FOLDER, folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a process");
        let lines = BufReader::new(process.stdout.take().expect("its output"));
        let input = process.stdin.take().expect("its input");
        Self { process, lines, _input: input }
    }

    /// What it says after this word, once it does.
    pub(crate) fn said(&mut self, word: &str) -> String {
        loop {
            let mut line = String::new();
            assert_ne!(self.lines.read_line(&mut line).expect("a line"), 0, "it ended without `{word}`");
            // The test program writes its own words before, in the same line.
            if let Some((_, rest)) = line.split_once(word) {
                return rest.trim().to_owned();
            }
        }
    }

    /// Waits for its end, so that it ends what it started.
    pub(crate) fn end(mut self) {
        assert!(self.process.wait().expect("ended").success());
    }

    /// Kills it as a crash does.
    pub(crate) fn kill(mut self) {
        self.process.kill().expect("killed");
        self.process.wait().expect("ended");
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

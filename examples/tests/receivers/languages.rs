//! The receivers of `docs/verify`, and what runs them.

use std::env;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A file of the project.
pub(crate) fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// The program of this name; else one line tells that `what` does not run here.
///
/// With `CI` set nothing is skipped: there every language must be installed.
pub(crate) fn interpreter(name: &str, what: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
    if found.is_none() {
        assert!(env::var_os("CI").is_none(), "{what} needs {name}, which is not on this machine");
        // Past the capture of the test harness, which only sees what the macros print.
        writeln!(io::stderr(), "skipped: {what} needs {name}, which is not on this machine")
            .expect("written");
    }
    found
}

/// A language whose receiver the documentation shows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Language {
    Node,
    Python,
    Go,
    Php,
    Ruby,
}

/// A command, and the folder that it needs for as long as it runs.
pub(crate) struct Prepared {
    pub(crate) command: Command,
    _folder: TempDir,
}

impl Language {
    /// Prints a line for each vector of a file.
    pub(crate) fn reader(self, vectors: &Path) -> Option<Prepared> {
        self.prepared(|command, runner| {
            command.args(runner).arg("vectors").arg(vectors);
        })
    }

    /// Prints its address and serves.
    pub(crate) fn server(self) -> Option<Prepared> {
        self.prepared(|command, runner| match self {
            // It has a server of its own, which runs the file for each request.
            Self::Php => drop(command.args(["-S", "127.0.0.1:0"]).args(runner)),
            Self::Node | Self::Python | Self::Go | Self::Ruby => drop(command.args(runner).arg("serve")),
        })
    }

    fn prepared(self, arguments: impl FnOnce(&mut Command, Option<PathBuf>)) -> Option<Prepared> {
        let (name, runner) = match self {
            Self::Node => ("node", "run.mjs"),
            Self::Python => ("python3", "run.py"),
            Self::Go => ("go", "main.go"),
            Self::Php => ("php", "run.php"),
            Self::Ruby => ("ruby", "run.rb"),
        };
        let program = interpreter(name, &format!("the receiver in {self:?} of docs/verify"))?;
        let runner = project("examples/tests/receivers/runners").join(runner);
        let folder = tempfile::tempdir().expect("a folder");
        let (program, runner) = match self {
            Self::Go => (build(&program, &runner, folder.path()), None),
            Self::Node | Self::Python | Self::Php | Self::Ruby => (program, Some(runner)),
        };
        let mut command = Command::new(program);
        arguments(&mut command, runner);
        // Python would leave compiled files among the documents; PHP remembers events in a folder.
        command.env("PYTHONDONTWRITEBYTECODE", "1").env("RECEIVER_FOLDER", folder.path());
        Some(Prepared { command, _folder: folder })
    }
}

/// Go wants the files of a package in a folder of their own.
fn build(go: &Path, runner: &Path, folder: &Path) -> PathBuf {
    let shown = folder.join("shown");
    std::fs::create_dir(&shown).expect("a folder");
    std::fs::write(folder.join("go.mod"), "module receiver\n\ngo 1.19\n").expect("written");
    std::fs::copy(runner, folder.join("main.go")).expect("copied");
    std::fs::copy(project("docs/verify/verify.go"), shown.join("verify.go")).expect("copied");
    let output = Command::new(go)
        .args(["build", "-o", "receiver", "."])
        .current_dir(folder)
        .env("GOFLAGS", "-mod=mod")
        .env("GOTOOLCHAIN", "local")
        .output()
        .expect("go runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder.join("receiver")
}

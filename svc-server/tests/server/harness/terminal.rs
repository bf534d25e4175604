//! A command in a terminal of its own: `script` of util-linux makes one.

use std::io::{Read as _, Write as _};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::{PATIENCE, Site};

/// A command that takes its terminal for a person's.
pub(crate) struct Terminal {
    child: Child,
    keys: Option<ChildStdin>,
    shown: mpsc::Receiver<Vec<u8>>,
    /// What was shown and not looked at.
    kept: String,
}

impl Terminal {
    pub(crate) fn open(site: &Site, arguments: &[&str]) -> Self {
        // In the place of the shell, which would end by the keys too.
        let line = format!("exec {} {}", env!("CARGO_BIN_EXE_svc-server"), arguments.join(" "));
        let mut command = site.program("script", &["-q", "-e", "-f", "-c", &line, "/dev/null"]);
        let mut child = command.stdin(Stdio::piped()).spawn().expect("util-linux is installed");
        let mut stdout = child.stdout.take().expect("piped");
        let (sender, shown) = mpsc::channel();
        thread::spawn(move || {
            let mut some = [0; 4096];
            while let Ok(read @ 1..) = stdout.read(&mut some) {
                // The test may be over already.
                drop(sender.send(some[..read].to_vec()));
            }
        });
        let keys = child.stdin.take();
        Self { child, keys, shown, kept: String::new() }
    }

    /// What is shown up to this text, with it.
    #[track_caller]
    pub(crate) fn until(&mut self, text: &str) -> String {
        loop {
            if let Some(at) = self.kept.find(text) {
                let rest = self.kept.split_off(at + text.len());
                return std::mem::replace(&mut self.kept, rest);
            }
            let more = self.shown.recv_timeout(PATIENCE);
            let more = more.unwrap_or_else(|_| panic!("no {text:?} after {:?}", self.kept));
            self.kept.push_str(&String::from_utf8_lossy(&more));
        }
    }

    pub(crate) fn press(&mut self, keys: &str) {
        let terminal = self.keys.as_mut().expect("open");
        terminal.write_all(keys.as_bytes()).and_then(|()| terminal.flush()).expect("it listens");
    }

    /// Waits for the end of the command; answers what else it showed.
    #[track_caller]
    pub(crate) fn end(mut self, within: Duration) -> (ExitStatus, String) {
        let mut rest = std::mem::take(&mut self.kept);
        loop {
            match self.shown.recv_timeout(within) {
                Ok(more) => rest.push_str(&String::from_utf8_lossy(&more)),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => panic!("it goes on: {rest:?}"),
            }
        }
        (self.child.wait().expect("it ended"), rest)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // After `end` there is nothing to kill, which is no failure.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

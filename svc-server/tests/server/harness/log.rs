//! What a server wrote to standard error.

use std::io::{BufRead as _, BufReader};
use std::process::ChildStderr;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use super::PATIENCE;

/// A log that grows while the server runs.
#[derive(Clone)]
pub(crate) struct Log(Arc<(Mutex<Kept>, Condvar)>);

#[derive(Default)]
struct Kept {
    text: String,
    ended: bool,
}

impl Log {
    /// Keeps all that a process writes there.
    pub(super) fn of(stderr: ChildStderr) -> Self {
        let log = Self(Arc::default());
        let kept = log.clone();
        thread::spawn(move || {
            for line in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
                kept.change(|kept| {
                    kept.text.push_str(&String::from_utf8_lossy(&line));
                    kept.text.push('\n');
                });
            }
            kept.change(|kept| kept.ended = true);
        });
        log
    }

    fn change(&self, change: impl FnOnce(&mut Kept)) {
        change(&mut self.0.0.lock().expect("sound"));
        self.0.1.notify_all();
    }

    /// Waits for a line with all of these texts; answers the line.
    #[track_caller]
    pub(crate) fn await_line(&self, texts: &[&str]) -> String {
        let fits = |line: &&str| texts.iter().all(|text| line.contains(text));
        let found = |kept: &Kept| kept.text.lines().find(fits).map(str::to_owned);
        let kept = self.0.0.lock().expect("sound");
        let (kept, _) = self
            .0
            .1
            .wait_timeout_while(kept, PATIENCE, |kept| found(kept).is_none() && !kept.ended)
            .expect("sound");
        found(&kept).unwrap_or_else(|| panic!("no {texts:?} in the log:\n{}", kept.text))
    }

    /// The whole log of a process that ended.
    #[track_caller]
    pub(crate) fn whole(&self) -> String {
        let kept = self.0.0.lock().expect("sound");
        let (kept, _) = self.0.1.wait_timeout_while(kept, PATIENCE, |kept| !kept.ended).expect("sound");
        assert!(kept.ended, "the process still writes");
        kept.text.clone()
    }
}

//! What a process costs, as the system tells.

use std::fs::{read_dir, read_link, read_to_string};
use std::path::Path;

/// A running process.
#[derive(Clone, Copy, Debug)]
pub struct Usage(u32);

impl Usage {
    /// That of the process with this id.
    #[must_use]
    pub fn of(process: u32) -> Self {
        Self(process)
    }

    /// That of this process.
    #[must_use]
    pub fn own() -> Self {
        Self(std::process::id())
    }

    /// How many files and sockets it has open.
    ///
    /// # Panics
    /// When the system does not tell.
    #[must_use]
    pub fn files(self) -> usize {
        read_dir(format!("/proc/{}/fd", self.0)).expect("it runs").count()
    }

    /// How many of them are below a folder.
    ///
    /// # Panics
    /// When the system does not tell.
    #[must_use]
    pub fn files_below(self, folder: &Path) -> usize {
        let open = read_dir(format!("/proc/{}/fd", self.0)).expect("it runs");
        open.filter_map(|file| read_link(file.ok()?.path()).ok())
            .filter(|file| file.starts_with(folder))
            .count()
    }

    /// A line of its status in KiB: `VmRSS`, what it holds at present, or `VmHWM`, what it held at most; 0 where
    /// the system does not tell.
    #[must_use]
    pub fn memory(self, line: &str) -> u64 {
        let status = read_to_string(format!("/proc/{}/status", self.0)).unwrap_or_default();
        let found = status.lines().find_map(|text| text.strip_prefix(line)?.strip_prefix(':'));
        found.and_then(|text| text.trim().trim_end_matches(" kB").parse().ok()).unwrap_or_default()
    }

    /// How much of a processor it and its children have used, in seconds.
    ///
    /// # Panics
    /// When the system does not tell.
    #[must_use]
    pub fn processor_seconds(self) -> f64 {
        let processes = read_dir("/proc").expect("Linux").filter_map(|entry| {
            let id = entry.ok()?.file_name().to_str()?.parse().ok()?;
            let used = Used::of(id)?;
            (id == self.0 || used.parent == self.0).then_some((id, used))
        });
        processes.map(|(id, used)| if id == self.0 { used.own + used.ended } else { used.own }).sum()
    }
}

/// What one process has used, in seconds.
struct Used {
    parent: u32,
    own: f64,
    /// By children that have ended.
    ended: f64,
}

impl Used {
    /// `None` when it has ended.
    fn of(process: u32) -> Option<Self> {
        let stat = read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name may hold spaces; what follows it does not.
        let (_, fields) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = fields.split_whitespace().collect();
        // Hundredths of a second on Linux.
        let seconds = |field: usize| fields.get(field)?.parse::<f64>().ok().map(|count| count / 100.0);
        Some(Self {
            parent: fields.get(1)?.parse().ok()?,
            own: seconds(11)? + seconds(12)?,
            ended: seconds(13)? + seconds(14)?,
        })
    }
}

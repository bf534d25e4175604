//! Where the texts are searched for.

use std::path::Path;

use crate::harness::{Hit, Reply};

/// One place.
#[derive(Clone)]
pub(super) struct Place {
    /// What it is: the kind, and which one.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    /// Whether personal data belongs there.
    pub(super) may_hold_personal_data: bool,
}

/// All places of a run.
#[derive(Default)]
pub(super) struct Places(Vec<Place>);

impl Places {
    pub(super) fn of(place: Place) -> Self {
        Self(vec![place])
    }

    pub(super) fn add(&mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.0.push(Place { name: name.into(), bytes: bytes.into(), may_hold_personal_data: false });
    }

    /// An error answer with its headers.
    pub(super) fn refusal(&mut self, told: &str, reply: &Reply) {
        assert!(reply.status >= 400, "{told} was not refused: {reply:?}");
        self.add(format!("error body of {told}"), format!("{:?}\n{}", reply.headers, reply.text));
    }

    pub(super) fn webhook(&mut self, hit: &Hit) {
        // The receiver gave the values of these: to be sent them is what they are for.
        let own = |name: &str| ["x-api-key", "authorization"].contains(&name.to_ascii_lowercase().as_str());
        let headers: Vec<_> = hit.headers.iter().filter(|(name, _)| !own(name)).collect();
        self.add(format!("webhook {}", hit.event_id()), format!("{headers:?}\n{}", hit.body));
    }

    /// Every file of the database; the key file is no part of it.
    pub(super) fn database(&mut self, when: &str, folder: &Path) {
        for entry in std::fs::read_dir(folder).expect("listed") {
            let path = entry.expect("listed").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("text").to_owned();
            // The admin socket has a name there, and no bytes.
            if path.is_file() && (name.starts_with("svc.db") || name == "copy.db") {
                let bytes = std::fs::read(&path).expect("read");
                self.0.push(Place {
                    name: format!("database {name} {when}"),
                    bytes,
                    may_hold_personal_data: true,
                });
            }
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Place> {
        self.0.iter()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.iter().map(|place| place.bytes.len()).sum()
    }

    /// The first place of each kind, by the first word of its name.
    pub(super) fn one_of_each_kind(&self) -> impl Iterator<Item = &Place> {
        let kind = |place: &Place| place.name.split(' ').next().map(str::to_owned);
        self.0.iter().enumerate().filter_map(move |(at, place)| {
            let is_first = self.0[..at].iter().all(|earlier| kind(earlier) != kind(place));
            is_first.then_some(place)
        })
    }

    pub(super) fn database_holds(&self, text: &str) -> bool {
        let mut files = self.0.iter().filter(|place| place.may_hold_personal_data);
        files.any(|file| file.bytes.windows(text.len()).any(|part| part == text.as_bytes()))
    }

    /// That the log was as talkative as it was told to be.
    pub(super) fn assert_logged_at(&self, level: &str) {
        let log = self.0.iter().find(|place| place.name == "log on standard error").expect("kept");
        let text = String::from_utf8_lossy(&log.bytes);
        let line = format!("\"level\":\"{}\"", level.to_uppercase());
        println!("the log at {level} has {} lines", text.lines().count());
        assert!(text.contains(&line), "no line at {level}");
    }

    /// That each kind of place is there, and is not empty.
    pub(super) fn assert_complete(&self) {
        let of = |kind: &str| self.0.iter().filter(|place| place.name.starts_with(kind)).collect::<Vec<_>>();
        for (kind, least, part) in [
            ("log", 1, "\"message\":\"answered\""),
            ("metrics", 1, "http_requests_total"),
            ("error", 40, "\"code\":"),
            ("webhook", 5, "\"occurred_at\""),
            ("database", 4, ""),
        ] {
            let places = of(kind);
            assert!(places.len() >= least, "{} places of the kind {kind}", places.len());
            let holds = |place: &&Place| String::from_utf8_lossy(&place.bytes).contains(part);
            assert!(places.iter().any(holds), "no {part} in any {kind}");
        }
    }
}

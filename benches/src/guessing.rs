//! What a token that sees personal data masked finds out of a contact by trying values.
//!
//! One contact has a tax id, a phone, an IBAN, a birth date and an address. The attacker holds a token with every
//! permission in its company, which sees them masked, and tries many values of each with each route that takes or
//! compares them. A value is found where the answers to it are unlike those to every other one. A token that sees
//! personal data plays the same: what it finds shows that the method finds something.

mod candidates;
mod probes;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::Path;

use serde_json::Value;
use svc_storage_seaorm::{Database, Settings};

use self::candidates::Member;
use self::probes::{Attacker, Probe, person};
use crate::NOW;
use crate::faults::{Client, Engine, Report, Site, progress};
use crate::service::{company, token_of};

/// Candidates of each value.
const CANDIDATES: u32 = 12;

/// Runs it on an empty database, with at least so many requests of the attacker.
///
/// # Panics
/// When the server does not start, or does not answer.
pub async fn run(engine: Engine, server: &Path, url: Option<&str>, requests: usize) -> Report {
    let site = match url {
        None => Site::sqlite(server),
        Some(url) => Site::postgres(server, url),
    };
    let (company, [seeing, masked]) = tokens(&site.url).await;
    let process = site.serve("one.example").await;
    let mut owner = Owner { client: Client::new(&seeing), api: process.api };
    let attacker = |token: &str| Attacker {
        client: Client::new(token),
        api: process.api,
        company: company.clone(),
        requests: 0,
        tried: String::new(),
    };
    let mut report = Report::new(format!("guessing on {engine:?}"), 0);

    let mut control = attacker(&seeing);
    let found = play(&mut control, &mut owner).await;
    report.least("values that a token finds that sees them", found.len(), 1);

    let mut masked = attacker(&masked);
    let mut found = BTreeSet::new();
    while masked.requests < requests {
        found.append(&mut play(&mut masked, &mut owner).await);
        progress(&format!("{} requests: {} values found", masked.requests, found.len()));
    }
    for (member, probe) in &found {
        report.shown("found", format!("the {} by {probe}", member.name()));
    }
    report.least("requests", masked.requests, requests);
    report.most("values that the masked token finds", found.len(), 0);
    report
}

/// Tries every candidate of every member in every way; answers what was found, and how.
async fn play(attacker: &mut Attacker, owner: &mut Owner) -> BTreeSet<(Member, &'static str)> {
    let mut found = BTreeSet::new();
    for probe in Probe::ALL {
        for member in Member::ALL {
            let mut other = owner.contact().await;
            let mut answers: Vec<Vec<Value>> = Vec::new();
            for number in 0..CANDIDATES {
                if probe.spoils() && number > 0 {
                    owner.forget(&other).await;
                    other = owner.contact().await;
                }
                answers.push(attacker.attempt(probe, member, number, &other).await);
            }
            owner.forget(&other).await;
            let Some((right, wrong)) = answers.split_first() else { continue };
            let alike = wrong.iter().all(|answer| Some(answer) == wrong.first());
            assert!(
                alike,
                "answers to wrong values differ: {} by {}: {wrong:#?}",
                member.name(),
                probe.name()
            );
            if !wrong.contains(right) {
                found.insert((member, probe.name()));
            }
        }
    }
    found
}

/// Who keeps the contact that the attacker wants to know of.
struct Owner {
    client: Client,
    api: SocketAddr,
}

impl Owner {
    /// A contact with the first of all candidates.
    async fn contact(&mut self) -> String {
        let members: Vec<_> = Member::ALL.iter().map(|member| member.json(0)).collect();
        let body = person(&format!(r#"{},"allowDuplicate":true"#, members.join(",")));
        let made = self.client.post(self.api, "/api/v1/contacts", None, &body).await.expect("answered");
        assert_eq!(made.status, 201, "{}", String::from_utf8_lossy(&made.body));
        made.text("id")
    }

    /// Archives it, if it was not merged: nothing is compared with it any more.
    async fn forget(&mut self, contact: &str) {
        let path = format!("/api/v1/contacts/{contact}");
        self.client.patch(self.api, &path, r#"{"status":"archived"}"#).await.expect("answered");
    }
}

/// A company, a token of it that sees personal data and one that sees them masked.
async fn tokens(url: &str) -> (String, [String; 2]) {
    let keys = Site::keys();
    let peppers = keys.peppers();
    let database = Database::open(&Settings::new(url.to_owned(), keys)).await.expect("a database");
    database.migrate(NOW).await.expect("the schema is made");
    let company = company(&database, 1).await;
    let mut tokens = Vec::new();
    for personal_data in [true, false] {
        tokens.push(token_of(&database, &peppers, company, "full", personal_data).await);
    }
    database.close().await;
    (company.account.to_string(), tokens.try_into().expect("two"))
}

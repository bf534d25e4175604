//! What is left of envelopes: their signatures in the trail, their end, and the files that they were sealed to.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use serde_json::Value;
use svc_core::trail::{Chain, Digest};
use svc_seal::SealKey;

use super::super::numbers::all;
use super::super::{Client, Report, Site, until};
use super::signatory::{Known, Sent};
use super::{member, text};

/// Envelopes that were acknowledged, with what is known of their signatures.
pub(super) struct Envelopes(pub(super) Vec<Sent>);

/// What does not fit, counted over all envelopes.
#[derive(Default)]
struct Found {
    lost: usize,
    twice: usize,
    stored: usize,
    completed_twice: usize,
    not_completed: usize,
    sealed_twice: usize,
    broken_trails: usize,
    broken_seals: usize,
    other_files: usize,
}

impl Envelopes {
    /// Waits until every envelope that everyone signed is sealed.
    pub(super) async fn settled(&self, server: SocketAddr, token: &str) {
        for Sent { id, signers, .. } in &self.0 {
            if signers.iter().any(|signer| signer.signed.is_none()) {
                continue;
            }
            let path = format!("/api/v1/envelopes/{id}");
            until("an envelope is sealed", async || {
                let answer = Client::new(token).get(server, &path).await.expect("answered");
                !answer.text("certificateFileId").is_empty()
            })
            .await;
        }
    }

    /// Reads each envelope, also those that were sent without an answer.
    pub(super) async fn judge(&self, client: &mut Client, server: SocketAddr, report: &mut Report) {
        let known: BTreeMap<&str, &Sent> = self.0.iter().map(|sent| (sent.id.as_str(), sent)).collect();
        let listed = all(client, server, "/api/v1/envelopes", "items").await;
        let mut found = Found::default();
        for envelope in &listed {
            found.add(client, server, envelope, known.get(member(envelope, "id")).copied()).await;
        }
        let ids: Vec<&str> = listed.iter().map(|envelope| member(envelope, "id")).collect();
        let gone = known.keys().filter(|id| !ids.contains(*id)).count();
        let signers = || self.0.iter().flat_map(|sent| &sent.signers);
        let acknowledged = signers().filter(|one| one.signed == Some(Known::Acknowledged)).count();
        report.shown("envelopes acknowledged with 201", self.0.len());
        report.shown("envelopes stored", listed.len());
        report.most("acknowledged envelopes lost", gone, 0);
        report.shown("signatures acknowledged with 303", acknowledged);
        report.shown("signatures in the trails", found.stored);
        report.most(
            "signers who had no mail at the end",
            signers().filter(|one| one.signed.is_none()).count(),
            0,
        );
        found.report(report);
    }
}

impl Found {
    async fn add(&mut self, client: &mut Client, server: SocketAddr, envelope: &Value, sent: Option<&Sent>) {
        let path = format!("/api/v1/envelopes/{}", member(envelope, "id"));
        let trail = client.get(server, &format!("{path}/audit-trail")).await.expect("answered").json();
        let entries = trail.get("entries").cloned().unwrap_or_default();
        let chain: Option<Chain> = serde_json::from_value(entries).ok();
        let Some(chain) = chain.filter(|chain| chain.verify().is_ok()) else {
            self.broken_trails += 1;
            return;
        };
        let count = |action: &str, actor: Option<&str>| {
            let links = chain.links().iter().map(|link| &link.entry);
            links.filter(|entry| entry.action == action && actor.is_none_or(|one| entry.actor == one)).count()
        };
        let all_signed = count("signer.signed", None);
        self.stored += all_signed;
        let signers = envelope.get("signers").and_then(Value::as_array).into_iter().flatten();
        self.twice += signers
            .map(|signer| count("signer.signed", Some(member(signer, "id"))).saturating_sub(1))
            .sum::<usize>();
        let completed = count("envelope.completed", None);
        self.completed_twice += completed.saturating_sub(1);
        self.sealed_twice += count("envelope.sealed", None).saturating_sub(1);
        let Some(sent) = sent else {
            // Its signers are not known, so none of them signed.
            self.twice += all_signed;
            return;
        };
        self.lost += sent
            .signers
            .iter()
            .filter(|signer| signer.signed.is_some() && count("signer.signed", Some(&signer.id)) != 1)
            .count();
        let is_completed = member(envelope, "status") == "completed";
        self.not_completed +=
            usize::from(completed != 1 || !is_completed || count("envelope.sealed", None) != 1);
        self.add_files(client, server, envelope, (sent, &chain)).await;
    }

    /// The sealed file and the certificate: those, and no others.
    async fn add_files(
        &mut self,
        client: &mut Client,
        server: SocketAddr,
        envelope: &Value,
        (sent, chain): (&Sent, &Chain),
    ) {
        let linked = format!("/api/v1/files?linkType=envelope&linkId={}", sent.id);
        let mut files: Vec<String> =
            all(client, server, &linked, "items").await.iter().map(|file| text(file, "id")).collect();
        let sealed = envelope.get("completedFileIds").and_then(Value::as_array).into_iter().flatten();
        let mut wanted: Vec<String> = sealed.filter_map(Value::as_str).map(str::to_owned).collect();
        let one = wanted.len() == 1;
        wanted.push(text(envelope, "certificateFileId"));
        files.sort();
        wanted.sort();
        self.other_files += usize::from(!one || files != wanted);
        let path = format!("/api/v1/envelopes/{}/documents/{}?signed=true", sent.id, sent.file);
        let answer = client.get(server, &path).await.expect("answered");
        let (number, key) = Site::keys().seal_key();
        let holds = svc_seal::verify(&answer.body, &SealKey::new(number, *key)).is_ok_and(|verified| {
            let hashes = |chain: &Chain| chain.links().iter().map(|link| link.hash).collect::<Vec<Digest>>();
            verified.envelope == sent.id && hashes(chain).starts_with(&hashes(&verified.evidence.entries))
        });
        self.broken_seals += usize::from(!holds);
    }

    fn report(&self, report: &mut Report) {
        report.most("known signatures lost", self.lost, 0);
        report.most("signatures twice, or not given", self.twice, 0);
        report.most("envelopes not completed and sealed", self.not_completed, 0);
        report.most("envelopes completed twice", self.completed_twice, 0);
        report.most("envelopes sealed twice", self.sealed_twice, 0);
        report.most("envelopes with other files than one sealed and a certificate", self.other_files, 0);
        report.most("trails that do not verify", self.broken_trails, 0);
        report.most("sealed files that do not verify, or have another trail", self.broken_seals, 0);
    }
}

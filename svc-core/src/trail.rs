//! Entries about one thing, each with the hash of the one before: what is proved to people who have no key.
//!
//! `hash = SHA-256(previous hash || canonical JSON of the entry)`, with the 32 bytes of the previous hash, 32 zero
//! bytes before the first entry, and the JSON of RFC 8785: members in the order of their names, no spaces. Any
//! program can compute it. The chain alone shows an entry that was changed, taken out or moved; that all of it was
//! written anew has to be shown by a seal around it. (The [audit log](crate::audit) has a key, and needs none.)

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::clock::Timestamp;
pub use crate::digest::{Digest, DigestError};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// When.
    pub at: Timestamp,
    /// Who acted: an id, or an e-mail address as it may be shown.
    pub actor: String,
    /// What was done, by its stable name.
    pub action: String,
    /// The address that the request came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ip: Option<String>,
    /// The program that sent the request, as it names itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    /// What else is worth keeping: the text of a consent, the digest of a document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<String>,
}

/// An entry in its chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// The entry; its members are beside the hashes in JSON.
    #[serde(flatten)]
    pub entry: Entry,
    /// The hash of the entry before; zeros for the first.
    pub previous_hash: Digest,
    /// The hash of this one.
    pub hash: Digest,
}

/// Entries in the order in which they happened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Chain(Vec<Link>);

/// An entry that does not fit its chain: it, or one before it, was changed, taken out or moved.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("entry {number} does not fit the chain")]
pub struct Broken {
    /// Its number, from 1.
    pub number: usize,
}

impl Link {
    /// An entry behind the one with this hash.
    #[must_use]
    pub fn after(previous_hash: Digest, entry: Entry) -> Self {
        let hash = hash(previous_hash, &entry);
        Self { entry, previous_hash, hash }
    }
}

impl Chain {
    /// No entries yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Links that were kept elsewhere; [`verify`](Self::verify) tells whether they fit.
    #[must_use]
    pub const fn from_links(links: Vec<Link>) -> Self {
        Self(links)
    }

    /// Adds an entry; answers its hash.
    pub fn push(&mut self, entry: Entry) -> Digest {
        let link = Link::after(self.head(), entry);
        let hash = link.hash;
        self.0.push(link);
        hash
    }

    /// The links, in their order.
    #[must_use]
    pub fn links(&self) -> &[Link] {
        &self.0
    }

    /// The hash of the last entry; zeros when there is none.
    #[must_use]
    pub fn head(&self) -> Digest {
        self.0.last().map_or(Digest::NONE, |last| last.hash)
    }

    /// Whether each entry is the one that was chained.
    ///
    /// # Errors
    /// [`Broken`] with the first entry that does not fit.
    pub fn verify(&self) -> Result<(), Broken> {
        let mut previous = Digest::NONE;
        for (at, link) in self.0.iter().enumerate() {
            if link.previous_hash != previous || link.hash != hash(previous, &link.entry) {
                return Err(Broken { number: at.saturating_add(1) });
            }
            previous = link.hash;
        }
        Ok(())
    }
}

fn hash(previous: Digest, entry: &Entry) -> Digest {
    Digest::of_parts([previous.as_bytes().as_slice(), canonical(entry).as_bytes()])
}

/// The JSON of RFC 8785. All values are texts, so the order of the members is all there is to take care of.
fn canonical(entry: &Entry) -> String {
    let Entry { at, actor, action, ip, user_agent, details } = entry;
    let at = at.to_string();
    let members = [
        ("action", Some(action)),
        ("actor", Some(actor)),
        ("at", Some(&at)),
        ("details", details.as_ref()),
        ("ip", ip.as_ref()),
        ("userAgent", user_agent.as_ref()),
    ];
    let members = members.iter().filter_map(|(name, value)| {
        let value = serde_json::Value::from(value.as_ref()?.as_str());
        Some(format!("\"{name}\":{value}"))
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

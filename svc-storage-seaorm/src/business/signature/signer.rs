//! The people of envelopes as rows.

use sea_orm::{QueryResult, Value};
use svc_business::party::order_key;
use svc_business::signature::code::{Code, Codes};
use svc_business::signature::key::{Access, LinkHash};
use svc_business::signature::{Envelope, Signer, SignerAuth, SignerRole, SignerStatus};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;

use crate::business::cell::{Cell, Columns, named};
use crate::value::broken;

named!(SignerRole: name, SignerAuth: name);

const WAITING: i16 = 0;
const NOTIFIED: i16 = 1;
const VIEWED: i16 = 2;
const SIGNED: i16 = 3;
const DECLINED: i16 = 4;
const REPLACED: i16 = 5;

const STATUS: &[&str] = &["status", "notified_at", "viewed_at", "ended_at", "decline_reason", "replaced_by"];
const CODES: &[&str] = &["codes_sent", "code_salt", "code_hash", "code_at", "code_tries", "code_proved_at"];

pub(super) const COLUMNS: &[&str] = &[
    "signer_id",
    "name",
    "email",
    "email_key",
    "phone",
    "tax_id",
    "contact_id",
    "role",
    "turn",
    "auth",
    "status",
    "notified_at",
    "viewed_at",
    "ended_at",
    "decline_reason",
    "replaced_by",
    "link_salt",
    "link_hash",
    "reminded_at",
    "codes_sent",
    "code_salt",
    "code_hash",
    "code_at",
    "code_tries",
    "code_proved_at",
];

/// The values of [`COLUMNS`].
pub(super) fn row(signer: &Signer) -> Vec<Value> {
    let mut row = vec![
        signer.id.put(),
        signer.name.put(),
        signer.email.put(),
        order_key(signer.email.as_str()).put(),
        signer.phone.put(),
        signer.tax_id.put(),
        signer.contact.put(),
        signer.role.put(),
        signer.order.put(),
        signer.auth.put(),
    ];
    signer.status.store(&mut row);
    row.extend([
        signer.access.map(|access| access.salt).put(),
        signer.access.map(|access| access.hash).put(),
    ]);
    row.push(signer.reminded_at.put());
    signer.codes.store(&mut row);
    row
}

pub(super) fn add(envelope: &mut Envelope, row: &QueryResult) -> Result<(), StoreError> {
    let access = match (Cell::take(row, "link_salt")?, Cell::take(row, "link_hash")?) {
        (Some(salt), Some(hash)) => Some(Access { salt, hash }),
        (None, None) => None,
        (Some(_), None) | (None, Some(_)) => return Err(broken("envelope_signers.link_hash")),
    };
    envelope.signers.push(Signer {
        id: Cell::take(row, "signer_id")?,
        name: Cell::take(row, "name")?,
        email: Cell::take(row, "email")?,
        phone: Cell::take(row, "phone")?,
        tax_id: Cell::take(row, "tax_id")?,
        contact: Cell::take(row, "contact_id")?,
        role: Cell::take(row, "role")?,
        order: Cell::take(row, "turn")?,
        auth: Cell::take(row, "auth")?,
        status: Columns::load(row, STATUS)?,
        access,
        reminded_at: Cell::take(row, "reminded_at")?,
        codes: Columns::load(row, CODES)?,
    });
    Ok(())
}

impl Columns for SignerStatus {
    fn store(&self, values: &mut Vec<Value>) {
        let (code, ended_at, reason, by) = match self {
            Self::Waiting => (WAITING, None, None, None),
            Self::Notified { .. } => (NOTIFIED, None, None, None),
            Self::Viewed { .. } => (VIEWED, None, None, None),
            Self::Signed { at, .. } => (SIGNED, Some(*at), None, None),
            Self::Declined { at, reason, .. } => (DECLINED, Some(*at), Some(reason.clone()), None),
            Self::Replaced { by, .. } => (REPLACED, None, None, Some(*by)),
        };
        values.extend([code.put(), self.notified_at().put(), self.viewed_at().put()]);
        values.extend([ended_at.put(), reason.put(), by.put()]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [status, notified, viewed, ended, reason, by] = columns else {
            return Err(StoreError::backend("six columns"));
        };
        let times: (Option<Timestamp>, Option<Timestamp>, Option<Timestamp>) =
            (Cell::take(row, notified)?, Cell::take(row, viewed)?, Cell::take(row, ended)?);
        match (Cell::take(row, status)?, times) {
            (WAITING, (None, None, None)) => Ok(Self::Waiting),
            (NOTIFIED, (Some(at), None, None)) => Ok(Self::Notified { at }),
            (VIEWED, (Some(notified_at), Some(at), None)) => Ok(Self::Viewed { notified_at, at }),
            (SIGNED, (Some(notified_at), Some(viewed_at), Some(at))) => {
                Ok(Self::Signed { notified_at, viewed_at, at })
            }
            (DECLINED, (Some(notified_at), Some(viewed_at), Some(at))) => {
                Ok(Self::Declined { notified_at, viewed_at, at, reason: Cell::take(row, reason)? })
            }
            (REPLACED, (notified_at, viewed_at, None)) => {
                Ok(Self::Replaced { notified_at, viewed_at, by: Cell::take(row, by)? })
            }
            _ => Err(broken("envelope_signers.status")),
        }
    }
}

impl Columns for Codes {
    fn store(&self, values: &mut Vec<Value>) {
        let Self { sent, last } = *self;
        values.extend([sent.put(), last.map(|code| code.salt).put()]);
        values.extend([last.map(|code| LinkHash(code.hash)).put(), last.map(|code| code.at).put()]);
        values.extend([last.map(|code| code.tries).put(), last.and_then(|code| code.proved_at).put()]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [sent, salt, hash, at, tries, proved] = columns else {
            return Err(StoreError::backend("six columns"));
        };
        let hash: Option<LinkHash> = Cell::take(row, hash)?;
        let last = match (Cell::take(row, salt)?, hash, Cell::take(row, at)?, Cell::take(row, tries)?) {
            (Some(salt), Some(hash), Some(at), Some(tries)) => {
                Some(Code { salt, hash: hash.0, at, tries, proved_at: Cell::take(row, proved)? })
            }
            (None, None, None, None) => None,
            _ => return Err(broken("envelope_signers.code_hash")),
        };
        Ok(Self { sent: Cell::take(row, sent)?, last })
    }
}

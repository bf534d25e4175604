//! Where an envelope is in its life, as columns.

use sea_orm::{QueryResult, Value};
use svc_business::signature::{EnvelopeStatus, EnvelopeStatusFilter, SealedFiles, TrailHead, VoidReason};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::FileId;

use crate::business::cell::{Cell, Columns};
use crate::value::{broken, from_json, json};

const DRAFT: i16 = 0;
const SENT: i16 = 1;
const COMPLETED: i16 = 2;
const DECLINED: i16 = 3;
const VOIDED: i16 = 4;

/// The number of a status.
pub(super) const fn code(status: EnvelopeStatusFilter) -> i16 {
    match status {
        EnvelopeStatusFilter::Draft => DRAFT,
        EnvelopeStatusFilter::Sent => SENT,
        EnvelopeStatusFilter::Completed => COMPLETED,
        EnvelopeStatusFilter::Declined => DECLINED,
        EnvelopeStatusFilter::Voided => VOIDED,
    }
}

/// `trail_entries`, `trail_hash`
impl Columns for TrailHead {
    fn store(&self, values: &mut Vec<Value>) {
        values.extend([self.entries.put(), self.hash.put()]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [entries, hash] = columns else { return Err(StoreError::backend("two columns")) };
        Ok(Self { entries: Cell::take(row, entries)?, hash: Cell::take(row, hash)? })
    }
}

/// `status`, `sent_at`, `ended_at`, `remind_at`, `void_reason`, `sealed_files`, `certificate_id`
impl Columns for EnvelopeStatus {
    fn store(&self, values: &mut Vec<Value>) {
        let (code, remind_at, reason, sealed) = match self {
            Self::Draft => (DRAFT, None, None, None),
            Self::Sent { remind_at, .. } => (SENT, *remind_at, None, None),
            Self::Completed { sealed, .. } => (COMPLETED, None, None, sealed.as_ref()),
            Self::Declined { .. } => (DECLINED, None, None, None),
            Self::Voided { reason, .. } => (VOIDED, None, Some(reason.as_str().to_owned()), None),
        };
        values.extend([
            code.put(),
            self.sent_at().put(),
            self.ended_at().put(),
            remind_at.put(),
            reason.put(),
        ]);
        values.extend([
            sealed.map(|sealed| json(&sealed.files)).put(),
            sealed.map(|sealed| sealed.certificate).put(),
        ]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [status, sent, ended, remind, reason, files, certificate] = columns else {
            return Err(StoreError::backend("seven columns"));
        };
        let times: (Option<Timestamp>, Option<Timestamp>) = (Cell::take(row, sent)?, Cell::take(row, ended)?);
        match (Cell::take(row, status)?, times) {
            (DRAFT, (None, None)) => Ok(Self::Draft),
            (SENT, (Some(at), None)) => Ok(Self::Sent { at, remind_at: Cell::take(row, remind)? }),
            (COMPLETED, (Some(sent_at), Some(at))) => {
                let files: Option<String> = Cell::take(row, files)?;
                let certificate: Option<FileId> = Cell::take(row, certificate)?;
                let sealed = match files.zip(certificate) {
                    None => None,
                    Some((files, certificate)) => {
                        Some(SealedFiles { files: from_json("envelopes.sealed_files", &files)?, certificate })
                    }
                };
                Ok(Self::Completed { sent_at, at, sealed })
            }
            (DECLINED, (Some(sent_at), Some(at))) => Ok(Self::Declined { sent_at, at }),
            (VOIDED, (Some(sent_at), Some(at))) => {
                let reason: String = Cell::take(row, reason)?;
                Ok(Self::Voided { sent_at, at, reason: VoidReason::of(&reason) })
            }
            _ => Err(broken("envelopes.status")),
        }
    }
}

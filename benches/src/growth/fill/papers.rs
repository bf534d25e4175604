//! What a company keeps of files, notices, envelopes and fixed assets.

use svc_business::books::asset::{AssetStatus, FixedAsset};
use svc_business::document::file::{File, FileLink};
use svc_business::notice::{Notice, NoticeKind, NoticeSource};
use svc_business::signature::{Envelope, EnvelopeLink, EnvelopeStatus, Signer, SignerStatus};
use svc_core::id::{AccountId, FolderId};
use svc_storage_seaorm::Database;
use svc_testkit::business::envelopes::{draft, signer};
use svc_testkit::business::sample::{asset, at, bare_notice, contact_id, date, everything, file, folder, id};

use crate::filling::{UNIT, in_units};

/// Files of a folder.
const FOLDER: u32 = 100;

/// The folder of a file.
pub(in crate::growth) fn folder_of(file: u32) -> FolderId {
    id(file.div_ceil(FOLDER).into())
}

/// Gives the company so many files in folders, notices and envelopes, and a tenth as many fixed assets. They have the numbers
/// from 1 on.
pub(super) async fn keep(database: &Database, company: AccountId, count: u32) {
    in_units(database, "folders", count.div_ceil(FOLDER), UNIT, async |unit, number| {
        let folder = folder(company, number, None, &format!("Luna{number}x"));
        unit.folders().insert(&everything(), &folder).await
    })
    .await;
    in_units(database, "files", count, UNIT, async |unit, number| {
        unit.files().insert(&everything(), &kept(company, number)).await
    })
    .await;
    in_units(database, "notices", count, UNIT, async |unit, number| {
        unit.notices().insert(&everything(), &notified(company, number)).await
    })
    .await;
    in_units(database, "envelopes", count, UNIT, async |unit, number| {
        unit.envelopes().insert(&everything(), &asked(company, number)).await
    })
    .await;
    in_units(database, "fixed assets", count / 10, UNIT, async |unit, number| {
        unit.fixed_assets().insert(&everything(), &owned(company, number)).await
    })
    .await;
}

fn kept(company: AccountId, number: u32) -> File {
    let mut file = File {
        name: format!("Luna{number}x Contrato.pdf"),
        folder: Some(folder_of(number)),
        links: vec![FileLink::Contact(contact_id(number.into()))],
        tags: vec!["customer".to_owned(), format!("route {}", number % 40)],
        ..file(company, number)
    };
    if number.is_multiple_of(4) {
        for version in &mut file.versions {
            "text/csv".clone_into(&mut version.mime_type);
        }
    }
    file
}

fn notified(company: AccountId, number: u32) -> Notice {
    let is_notification = number.is_multiple_of(4);
    Notice {
        source: if number.is_multiple_of(3) { NoticeSource::Aeat } else { NoticeSource::Dehu },
        kind: if is_notification { NoticeKind::Notification } else { NoticeKind::Communication },
        subject: format!("Requerimiento de Luna{number}x"),
        handled: number.is_multiple_of(5),
        ..bare_notice(company, number)
    }
}

/// One in five has been sent, without a term or reminders.
fn asked(company: AccountId, number: u32) -> Envelope {
    let is_sent = number.is_multiple_of(5);
    let waiting = signer(number.into());
    let status =
        if is_sent { SignerStatus::Notified { at: at(number.into()) } } else { waiting.status.clone() };
    let who = Signer { name: format!("Ana Luna{number}x"), status, ..waiting };
    let draft = draft(company, number, vec![who]);
    let status = EnvelopeStatus::Sent { at: at(number.into()), remind_at: None };
    Envelope {
        subject: format!("Contrato de Luna{number}x"),
        links: vec![EnvelopeLink::Contact(contact_id(number.into()))],
        status: if is_sent { status } else { draft.status.clone() },
        ..draft
    }
}

/// A draft, so that no instalment is due.
fn owned(company: AccountId, number: u32) -> FixedAsset {
    FixedAsset {
        name: format!("Luna{number}x Portátil"),
        status: AssetStatus::Draft,
        ..asset(company, number.into(), date(2025, 1, 15))
    }
}

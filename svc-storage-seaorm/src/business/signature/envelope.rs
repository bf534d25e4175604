//! Envelopes as rows.

use sea_orm::{QueryResult, Value};
use svc_business::party::order_key;
use svc_business::signature::{
    Envelope, EnvelopeFile, EnvelopeFilter, EnvelopeLink, EnvelopeSort, EnvelopeStatusFilter, FilePin,
    SigningOrder,
};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};
use time::Duration;

use super::{signer, status};
use crate::business::cell::{Cell, named};
use crate::business::record::{Child, Count, FEW, Reference, Row, columns, with_ids};
use crate::business::search::search_keys;
use crate::migration::apart;
use crate::statement::Sql;
use crate::value::broken;

named!(SigningOrder: name);

const FILES: Child<Envelope> = Child {
    table: "svc_envelope_files",
    owner: "envelope_id",
    of_company: true,
    columns: &["file_id", "file_version", "sha256", "size", "name", "pages"],
    references: &[],
    rows: |envelope| envelope.files.iter().map(file_row).collect(),
    add: Some(|envelope, row| {
        envelope.files.push(read_file(row)?);
        Ok(())
    }),
};

const SIGNERS: Child<Envelope> = Child {
    table: "svc_envelope_signers",
    owner: "envelope_id",
    of_company: true,
    columns: signer::COLUMNS,
    references: &[Reference::each("contact_id", "svc_contacts")],
    rows: |envelope| envelope.signers.iter().map(signer::row).collect(),
    add: Some(signer::add),
};

const LINKS: Child<Envelope> = Child {
    table: "svc_envelope_links",
    owner: "envelope_id",
    of_company: true,
    columns: &["case_id", "contact_id", "document_id"],
    references: &[
        Reference::each("case_id", "svc_cases"),
        Reference::each("contact_id", "svc_contacts"),
        Reference::each("document_id", "svc_sales_documents"),
    ],
    rows: |envelope| envelope.links.iter().map(link_row).collect(),
    add: Some(|envelope, row| {
        envelope.links.push(read_link(row)?);
        Ok(())
    }),
};

impl Row for Envelope {
    const TABLE: &'static str = "svc_envelopes";
    const REFERENCES: &'static [Reference] = &[Reference::once("supersedes_id", "svc_envelopes")];
    const LOGS: &'static [(&'static str, &'static str)] =
        &[("svc_envelope_trail", "envelope_id"), ("svc_envelope_inks", "envelope_id")];
    const CHILDREN: &'static [Child<Self>] = &[FILES, SIGNERS, LINKS];

    columns! {
        {
            id: "id",
            company: "company_id",
            subject: "subject",
            message: "message",
            language: "language",
            order: "signing_order",
            expires_at: "expires_at",
            reminder_every_days: "reminder_days",
            status: "status" | "sent_at" | "ended_at" | "remind_at" | "void_reason" | "sealed_files" | "certificate_id",
            supersedes: "supersedes_id",
            superseded_by: "superseded_by_id",
            trail: "trail_entries" | "trail_hash",
            extension: "external_id" | "metadata",
            version: "version",
            created_at: "created_at",
            updated_at: "updated_at",
        }
        children { files, signers, links }
        derived { "sent_key" = sent_key, "expires_key" = expires_key, "search_key" = searched }
    }

    fn companies(filter: &EnvelopeFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, filter: &EnvelopeFilter) -> Sql {
        let day = |date| Timestamp::start_of(date).unix_micros();
        let sql = sql
            .and(" AND status = ", filter.status.map(status::code))
            .and(" AND external_id = ", filter.external_id.as_deref())
            .and(" AND updated_at >= ", filter.updated_since.map(Timestamp::unix_micros))
            .and(" AND sent_key >= ", filter.from.map(day))
            .and(" AND sent_key < ", filter.to.map(|date| day(date.saturating_add(Duration::DAY))));
        let sql = match (filter.from, filter.to) {
            // What was never sent comes last.
            (Some(_), None) => sql.text(" AND sent_at IS NOT NULL"),
            _ => sql,
        };
        // Of the companies that the filter names, so that an index finds those few: which of them are in reach is said besides.
        let has = |sql: Sql, table: &str, column: &str, value: Value| {
            with_ids(sql, |sql| {
                let rows =
                    sql.text(&format!("SELECT envelope_id FROM {table} WHERE {column} = ")).bind(value);
                match filter.companies.as_slice() {
                    [] => rows,
                    some => {
                        rows.text(" AND company_id").one_or_among(some.iter().map(|company| company.uuid()))
                    }
                }
            })
        };
        let sql = match &filter.signer_email {
            Some(email) => has(sql, "svc_envelope_signers", "email_key", order_key(email.as_str()).into()),
            None => sql,
        };
        let Some(link) = filter.link else { return sql };
        let (column, id) = match link {
            EnvelopeLink::Case(id) => ("case_id", id.uuid()),
            EnvelopeLink::Contact(id) => ("contact_id", id.uuid()),
            EnvelopeLink::Invoice(id) => ("document_id", id.uuid()),
        };
        has(sql, "svc_envelope_links", column, id.into())
    }

    fn count(filter: &EnvelopeFilter) -> Count<'_, EnvelopeFilter> {
        let EnvelopeFilter { companies, status, updated_since, .. } = filter.clone();
        let kinds = EnvelopeFilter { companies, status, ..EnvelopeFilter::default() };
        let changed = EnvelopeFilter { updated_since, ..kinds.clone() };
        Count::of(filter, kinds.clone(), [&kinds, &kinds, &changed], (None, updated_since))
    }

    fn is_narrow(filter: &EnvelopeFilter, total: u64) -> bool {
        let dates = filter.from.is_some() || filter.to.is_some();
        let named = filter.signer_email.is_some() || filter.link.is_some();
        filter.external_id.is_some() || ((named || filter.updated_since.is_some() || dates) && total <= FEW)
    }

    fn apart(filter: &EnvelopeFilter) -> Option<&'static str> {
        filter.status.filter(|status| *status != EnvelopeStatusFilter::Completed).map(|_| apart::ENVELOPES)
    }

    fn text(filter: &EnvelopeFilter) -> Option<&str> {
        filter.text.as_deref()
    }

    fn sort_column(key: EnvelopeSort) -> &'static str {
        match key {
            EnvelopeSort::SentAt => "sent_key",
            EnvelopeSort::ExpiresAt => "expires_key",
            EnvelopeSort::UpdatedAt => "updated_at",
        }
    }
}

/// Drafts come last.
fn sent_key(envelope: &Envelope) -> i64 {
    envelope.status.sent_at().map_or(i64::MAX, Timestamp::unix_micros)
}

/// What has no term comes last.
fn expires_key(envelope: &Envelope) -> i64 {
    envelope.expires_at.map_or(i64::MAX, Timestamp::unix_micros)
}

fn searched(envelope: &Envelope) -> String {
    let people = envelope.signers.iter().flat_map(|signer| [signer.name.as_str(), signer.email.as_str()]);
    search_keys(std::iter::once(envelope.subject.as_str()).chain(people))
}

fn file_row(file: &EnvelopeFile) -> Vec<Value> {
    let pin = file.pin.as_ref();
    vec![
        file.file.put(),
        pin.map(|pin| pin.version).put(),
        pin.map(|pin| pin.sha256).put(),
        pin.map(|pin| pin.size).put(),
        pin.map(|pin| pin.name.clone()).put(),
        pin.map(|pin| pin.pages).put(),
    ]
}

fn read_file(row: &QueryResult) -> Result<EnvelopeFile, StoreError> {
    let version: Option<u32> = Cell::take(row, "file_version")?;
    let pin = match version {
        None => None,
        Some(version) => Some(FilePin {
            version,
            sha256: Cell::take(row, "sha256")?,
            size: Cell::take(row, "size")?,
            name: Cell::take(row, "name")?,
            pages: Cell::take(row, "pages")?,
        }),
    };
    Ok(EnvelopeFile { file: Cell::take(row, "file_id")?, pin })
}

fn link_row(link: &EnvelopeLink) -> Vec<Value> {
    let (case, contact, document) = match *link {
        EnvelopeLink::Case(id) => (Some(id), None, None),
        EnvelopeLink::Contact(id) => (None, Some(id), None),
        EnvelopeLink::Invoice(id) => (None, None, Some(id)),
    };
    vec![case.put(), contact.put(), document.put()]
}

fn read_link(row: &QueryResult) -> Result<EnvelopeLink, StoreError> {
    let ids = (Cell::take(row, "case_id")?, Cell::take(row, "contact_id")?, Cell::take(row, "document_id")?);
    match ids {
        (Some(id), None, None) => Ok(EnvelopeLink::Case(id)),
        (None, Some(id), None) => Ok(EnvelopeLink::Contact(id)),
        (None, None, Some(id)) => Ok(EnvelopeLink::Invoice(id)),
        _ => Err(broken("envelope_links.case_id")),
    }
}

//! Entries of journals as rows, with their lines and tags.

use sea_orm::{QueryResult, Value};
use svc_business::books::entry::{
    Entry, EntryHash, EntryKind, EntryStatus, FxRate, Particulars, Posting, Source, TagKind, TaxCode, TaxTag,
};
use svc_business::books::journal::{EntryFilter, EntrySort, EntryStatusFilter};
use svc_business::trade::{ExemptionCode, Supply};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, FiscalYearId, JournalEntryId};
use svc_core::money::{Amount, Currency};
use time::Date;

use super::line;
use crate::business::cell::{Cell, Columns, Stored, displayed, named};
use crate::business::contact::TABLE as CONTACTS;
use crate::business::record::{Child, Count, FEW, Reference, Row, columns};
use crate::business::search::search_keys;
use crate::migration::apart;
use crate::statement::Sql;
use crate::value::broken;

impl Row for Entry {
    const TABLE: &'static str = "svc_journal_entries";
    const CHILDREN: &'static [Child<Self>] = &[
        Child {
            table: "svc_journal_lines",
            owner: "entry_id",
            of_company: true,
            columns: line::COLUMNS,
            references: &[Reference::each("contact_id", CONTACTS)],
            rows: line::rows_of,
            add: Some(|entry, row| {
                entry.lines.push(Columns::load(row, &[])?);
                Ok(())
            }),
        },
        Child {
            table: "svc_tax_tags",
            owner: "entry_id",
            of_company: true,
            columns: &[
                "kind",
                "tax_code",
                "currency",
                "base",
                "quota",
                "deductible_quota",
                "tax_date",
                "exemption",
                "supply",
                "rectifies",
                "contact_id",
                "posted_contact_id",
                "entry_status",
            ],
            references: &[Reference::each("contact_id", CONTACTS)],
            rows: |entry| entry.tax_tags.iter().map(|tag| tag_row(entry, tag)).collect(),
            add: Some(|entry, row| {
                entry.tax_tags.push(tag(row)?);
                Ok(())
            }),
        },
    ];

    columns! {
        {
        id: "id",
        company: "company_id",
        kind: "kind",
        date: "date",
        description: "description",
        reference: "reference",
        base_currency: "base_currency",
        currency: "currency",
        fx_rate: "fx_rate",
        source: "source_type" | "source_id" | "source_role",
        reverses: "reverses_id",
        closes_year: "closes_year",
        opens_year: "opens_year",
        status: "status" | "year_id" | "number" | "previous_hash" | "hash" | "posted_at" | "posted_by" | "reversed_by",
        extension: "external_id" | "metadata",
        version: "version",
        created_at: "created_at",
        updated_at: "updated_at",
        }
        children { lines, tax_tags }
        derived { "search_key" = searched, "order_key" = order_key }
    }

    fn companies(filter: &EntryFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, filter: &EntryFilter) -> Sql {
        sql.and(" AND status = ", filter.status.map(|status| status.to_sql()))
            .and(" AND kind = ", filter.kind.map(EntryKind::name))
            .and(" AND source_type = ", filter.source_type.as_deref())
            .and(" AND source_id = ", filter.source_id.as_deref())
            .and(" AND external_id = ", filter.external_id.as_deref())
            .and(" AND updated_at >= ", filter.updated_since.map(Timestamp::unix_micros))
            .and(" AND order_key >= ", filter.from.map(|date| date.to_sql()))
            .and(" AND order_key < ", filter.to.map(|date| format!("{}~", date.to_sql())))
    }

    fn count(filter: &EntryFilter) -> Count<'_, EntryFilter> {
        let EntryFilter { companies, status, kind, updated_since, .. } = filter.clone();
        let plain = EntryFilter { companies, status, ..EntryFilter::default() };
        let kinds = EntryFilter { kind, ..plain.clone() };
        let changed = EntryFilter { updated_since, ..plain.clone() };
        Count::of(filter, plain, [&kinds, &kinds, &changed], (None, updated_since))
    }

    fn is_narrow(filter: &EntryFilter, total: u64) -> bool {
        let few = filter.updated_since.is_some() || filter.source_type.is_some();
        filter.external_id.is_some() || filter.source_id.is_some() || (few && total <= FEW)
    }

    fn apart(filter: &EntryFilter) -> Option<&'static str> {
        filter.status.filter(|status| *status != EntryStatusFilter::Posted).map(|_| apart::ENTRIES)
    }

    fn text(filter: &EntryFilter) -> Option<&str> {
        filter.text.as_deref()
    }

    fn sort_column(key: EntrySort) -> &'static str {
        match key {
            EntrySort::Date => "order_key",
            EntrySort::UpdatedAt => "updated_at",
        }
    }
}

/// The order of a journal: days, and numbers within each; drafts come first.
pub(super) fn order_key(entry: &Entry) -> String {
    key_of(entry.date, entry.status.posting().map_or(0, |posting| posting.number))
}

/// The same, of a date and a number.
pub(super) fn key_of(date: Date, number: u64) -> String {
    format!("{date}/{number:012}")
}

fn searched(entry: &Entry) -> String {
    let number = entry.status.posting().map(|posting| posting.number.to_string());
    let own = [Some(entry.description.as_str()), entry.reference.as_deref(), number.as_deref()];
    let lines = entry.lines.iter().filter_map(|line| line.description.as_deref());
    // What many lines say is found in the first of them.
    search_keys(own.into_iter().flatten().chain(lines.take(20)))
}

/// `entry_status` of the lines and tags of an entry, and its own `status`.
pub(super) fn code_of(status: &EntryStatus) -> i16 {
    let status = match status {
        EntryStatus::Draft => EntryStatusFilter::Draft,
        EntryStatus::Posted { .. } => EntryStatusFilter::Posted,
        EntryStatus::Reversed { .. } => EntryStatusFilter::Reversed,
    };
    status.to_sql()
}

fn tag_row(entry: &Entry, tag: &TaxTag) -> Vec<Value> {
    vec![
        tag.kind.put(),
        tag.tax_code.put(),
        tag.base.currency().put(),
        tag.base.minor().put(),
        tag.quota.minor().put(),
        tag.deductible_quota.map(Amount::minor).put(),
        tag.tax_date.put(),
        tag.particulars.exemption.put(),
        tag.particulars.supply.put(),
        tag.particulars.rectifies.put(),
        tag.contact.put(),
        tag.posted_contact.put(),
        code_of(&entry.status).put(),
    ]
}

pub(super) fn tag(row: &QueryResult) -> Result<TaxTag, StoreError> {
    let currency = Currency::take(row, "currency")?;
    let amount = |minor: i64| Amount::from_minor(minor, currency).map_err(|_| broken("tax_tags.base"));
    let deductible: Option<i64> = Cell::take(row, "deductible_quota")?;
    Ok(TaxTag {
        kind: Cell::take(row, "kind")?,
        tax_code: Cell::take(row, "tax_code")?,
        base: amount(Cell::take(row, "base")?)?,
        quota: amount(Cell::take(row, "quota")?)?,
        deductible_quota: deductible.map(amount).transpose()?,
        tax_date: Cell::take(row, "tax_date")?,
        particulars: Particulars {
            exemption: Cell::take(row, "exemption")?,
            supply: Cell::take(row, "supply")?,
            rectifies: Cell::take(row, "rectifies")?,
        },
        contact: Cell::take(row, "contact_id")?,
        posted_contact: Cell::take(row, "posted_contact_id")?,
    })
}

named!(EntryKind: name, TagKind: name, ExemptionCode: name, Supply: name);
displayed!(FxRate, EntryHash, TaxCode);

/// `source_type`, `source_id`, `source_role`
impl Columns for Option<Source> {
    fn store(&self, values: &mut Vec<Value>) {
        let part = |part: fn(&Source) -> &str| self.as_ref().map(|source| part(source).to_owned()).put();
        values.extend([part(Source::kind), part(Source::id), part(Source::role)]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [kind, id, role] = columns else { return Err(StoreError::backend("three columns")) };
        let parts: [Option<String>; 3] =
            [Cell::take(row, kind)?, Cell::take(row, id)?, Cell::take(row, role)?];
        match parts {
            [None, None, None] => Ok(None),
            [Some(kind), Some(id), Some(role)] => {
                Source::new(&kind, &id, &role).map(Some).map_err(|_| broken("journal_entries.source_type"))
            }
            _ => Err(broken("journal_entries.source_type")),
        }
    }
}

/// `status`, `year_id`, `number`, `previous_hash`, `hash`, `posted_at`, `posted_by`, `reversed_by`
impl Columns for EntryStatus {
    fn store(&self, values: &mut Vec<Value>) {
        let posting = self.posting();
        let reversed_by = match self {
            Self::Reversed { by, .. } => Some(*by),
            Self::Draft | Self::Posted { .. } => None,
        };
        values.extend([
            code_of(self).put(),
            posting.map(|posting| posting.year).put(),
            posting.map(|posting| posting.number).put(),
            posting.and_then(|posting| posting.previous_hash).put(),
            posting.map(|posting| posting.hash).put(),
            posting.map(|posting| posting.at).put(),
            posting.and_then(|posting| posting.by).put(),
            reversed_by.put(),
        ]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [status, year, number, previous, hash, at, by, reversed_by] = columns else {
            return Err(StoreError::backend("eight columns"));
        };
        let year: Option<FiscalYearId> = Cell::take(row, year)?;
        let (number, hash): (Option<u64>, Option<EntryHash>) =
            (Cell::take(row, number)?, Cell::take(row, hash)?);
        let at: Option<Timestamp> = Cell::take(row, at)?;
        let by = Cell::take(row, by)?;
        let previous_hash = Cell::take(row, previous)?;
        let reversed_by: Option<JournalEntryId> = Cell::take(row, reversed_by)?;
        let posting = match (year, number, hash, at) {
            (Some(year), Some(number), Some(hash), Some(at)) => {
                Some(Posting { year, number, previous_hash, hash, at, by })
            }
            _ => None,
        };
        match (Cell::take(row, status)?, posting, reversed_by) {
            (EntryStatusFilter::Draft, None, None) => Ok(Self::Draft),
            (EntryStatusFilter::Posted, Some(posting), None) => Ok(Self::Posted { posting }),
            (EntryStatusFilter::Reversed, Some(posting), Some(by)) => Ok(Self::Reversed { posting, by }),
            _ => Err(broken("journal_entries.status")),
        }
    }
}

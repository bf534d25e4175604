//! What is open with contacts: their balances are kept, the days behind them are read from an index.

use sea_orm::{DatabaseBackend, QueryResult};
use serde::Deserialize;
use svc_business::books::report::{AgedSide, DueQuery, DueSum, OpenBalance};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, ContactId, TypedId};
use svc_core::money::{Amount, Currency};
use time::Date;
use uuid::Uuid;

use super::sums::amount;
use crate::business::cell::{Stored, numbered};
use crate::error::backend;
use crate::migration::open_balances::{contact, due};
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::value::{broken, from_json};

/// A day on which something is due, and what it adds up to.
#[derive(Deserialize)]
struct Day(String, i64);

impl<C: DeferInsert + Send + Sync> SeaStore<C> {
    /// What is open now, without the lines of later days.
    pub(super) async fn open_on(
        &self,
        company: AccountId,
        currency: Currency,
        side: AgedSide,
        as_of: Date,
    ) -> Result<Vec<OpenBalance>, StoreError> {
        let open = self.sql("SELECT contact_id, CAST(sum(balance) AS bigint) AS balance FROM (");
        let open = open.text("SELECT contact_id, balance FROM svc_open_balances WHERE company_id = ");
        let open = open.bind(company.uuid()).text(" AND aged_side = ").bind(side.to_sql());
        let open = open
            .text(" AND balance <> 0 UNION ALL SELECT ")
            .text(&contact(self.conn.get_database_backend(), ""));
        let open = open.text(
            " AS contact_id, credit - debit AS balance FROM svc_journal_lines \
             WHERE entry_status > 0 AND NOT closes_year AND NOT opens_year AND company_id = ",
        );
        let open = open.bind(company.uuid());
        let open = open.text(" AND date > ").bind(as_of.to_sql());
        // The accounts of the side, in a form that gives SQLite no index to read all of them by.
        let groups: &[&str] = match side {
            AgedSide::Receivables => &["43"],
            AgedSide::Payables => &["40", "41"],
        };
        let open = open.text(" AND substr(account_code, 1, 2)").listed(groups.iter().copied());
        let open = open.text(") AS parts GROUP BY contact_id HAVING sum(balance) <> 0");
        let found = |row: &QueryResult| {
            Ok(OpenBalance { contact: named(id(row)?), balance: amount(row, "balance", currency)? })
        };
        self.rows(open).await?.iter().map(found).collect()
    }

    /// The last days of each contact, grouped one contact after the other in the order of the index.
    pub(super) async fn due_of(
        &self,
        company: AccountId,
        currency: Currency,
        asked: DueQuery,
        contacts: &[Option<ContactId>],
    ) -> Result<Vec<DueSum>, StoreError> {
        let DueQuery { side, as_of, debits, days } = asked;
        let contacts = contacts.iter().map(|contact| contact.map_or_else(Uuid::nil, TypedId::uuid));
        let (line, moved) = ("line.", if debits { "debit" } else { "credit" });
        let (of, day) = (contact(self.conn.get_database_backend(), line), due(line));
        let list = if self.conn.get_database_backend() == DatabaseBackend::Postgres {
            "CAST(json_agg(json_build_array(due, amount)) AS text)"
        } else {
            "json_group_array(json_array(due, amount))"
        };
        let sums = self.sql(&format!("SELECT contact_id, (SELECT {list} FROM (SELECT {day} AS due, "));
        let sums = sums
            .text(&format!("CAST(sum({line}{moved}) AS bigint) AS amount FROM svc_journal_lines AS line"));
        let sums =
            sums.text(&format!(" WHERE entry_status > 0 AND {line}{moved} > 0 AND {of} = asked.contact_id"));
        let sums = sums.text(" AND line.company_id = ").bind(company.uuid());
        let sums = sums.text(" AND line.aged_side = ").bind(side.to_sql());
        let sums = sums.text(" AND line.date <= ").bind(as_of.to_sql());
        let sums = sums.text(&format!(" GROUP BY {day} ORDER BY {day} DESC LIMIT ")).bind(i64::from(days));
        let sums = sums.text(") AS days) AS days FROM ").each_id("contact_id", contacts).text(" AS asked");
        let mut found = Vec::new();
        for row in self.rows(sums).await? {
            let contact = named(id(&row)?);
            let days: Option<String> = row.try_get("", "days").map_err(backend)?;
            let Some(days) = days else { continue };
            for Day(due, amount) in from_json::<Vec<Day>>("journal_lines.due_date", &days)? {
                let due = Date::from_sql(due).ok_or_else(|| broken("journal_lines.due_date"))?;
                found.push(DueSum { contact, due, amount: Amount::from_minor(amount, currency)? });
            }
        }
        Ok(found)
    }
}

fn id(row: &QueryResult) -> Result<Uuid, StoreError> {
    row.try_get("", "contact_id").map_err(backend)
}

/// The contact of an id that is not nil.
fn named(id: Uuid) -> Option<ContactId> {
    (!id.is_nil()).then(|| ContactId::from_uuid(id))
}

// A side is a number.
numbered!(AgedSide { Receivables = 0, Payables = 1 });

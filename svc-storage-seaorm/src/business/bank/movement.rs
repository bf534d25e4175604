//! Movements of bank accounts.

use std::collections::{HashMap, HashSet};

use async_trait::async_trait;
use sea_orm::{QueryResult, Value};
use svc_business::bank::import::{BankMovementReader, BankMovementStore};
use svc_business::bank::movement::{
    BankMovement, BankMovementFilter, BankMovementSort, BankMovementStatus, Direction, Fingerprint, Moved,
    Place, TextKey, without_ibans,
};
use svc_business::books::account::AccountCode;
use svc_business::books::fiscal_year::Span;
use svc_business::magnitude::Magnitude;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, BankAccountId, BankMovementId, BankMovementImportId, TypedId};
use svc_core::money::{Amount, Currency};
use svc_core::tenant::Scope;

use super::reconciliation;
use crate::business::cell::{Cell, Columns, Stored};
use crate::business::record::{Child, Count, FEW, Reference, Row, columns};
use crate::business::search::search_keys;
use crate::error::backend;
use crate::migration::apart;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::value::broken;

impl Row for BankMovement {
    const TABLE: &'static str = "svc_bank_movements";
    const REFERENCES: &'static [Reference] = &[
        Reference::once("bank_account_id", "svc_bank_accounts"),
        Reference::once("import_id", "svc_bank_movement_imports"),
    ];
    const CHILDREN: &'static [Child<Self>] = &[reconciliation::LINES, reconciliation::BOOKINGS];

    columns! {
        {
        id: "id",
        company: "company_id",
        bank_account: "bank_account_id",
        import: "import_id",
        booking_date: "booking_date",
        value_date: "value_date",
        moved: "amount" | "balance_after" | "currency",
        description: "description",
        counterparty_name: "counterparty_name",
        counterparty_iban: "counterparty_iban",
        references: "reference_list",
        bank_code: "bank_code",
        place: "fingerprint" | "occurrence",
        state: "status" | "reconciliation",
        notes: "notes",
        version: "version",
        created_at: "created_at",
        updated_at: "updated_at",
        }
        children {  }
        derived {
            "incoming" = |movement| movement.moved.amount.minor() >= 0,
            "amount_rank" = |movement| Magnitude::from(movement.moved.amount).ten_thousandths(),
            "size_rank" = |movement| Magnitude::from(movement.moved.amount).size().ten_thousandths(),
            "search_key" = searched,
        }
    }

    fn companies(filter: &BankMovementFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, filter: &BankMovementFilter) -> Sql {
        sql.and(" AND bank_account_id = ", filter.bank_account.map(TypedId::uuid))
            .and(" AND status = ", filter.status.map(|status| status.to_sql()))
            .and(" AND incoming = ", filter.direction.map(|direction| direction == Direction::In))
            .and(" AND import_id = ", filter.import.map(TypedId::uuid))
            .and(" AND size_rank >= ", filter.min_amount.map(Magnitude::ten_thousandths))
            .and(" AND size_rank <= ", filter.max_amount.map(Magnitude::ten_thousandths))
            .and(" AND booking_date >= ", filter.from.map(|date| date.to_sql()))
            .and(" AND booking_date <= ", filter.to.map(|date| date.to_sql()))
            .and(" AND updated_at >= ", filter.updated_since.map(Timestamp::unix_micros))
    }

    fn apart(filter: &BankMovementFilter) -> Option<&'static str> {
        filter.status.filter(|status| *status != BankMovementStatus::Reconciled).map(|_| apart::MOVEMENTS)
    }

    fn text(filter: &BankMovementFilter) -> Option<&str> {
        filter.text.as_deref()
    }

    fn count(filter: &BankMovementFilter) -> Count<'_, BankMovementFilter> {
        let BankMovementFilter { companies, bank_account, status, direction, updated_since, .. } =
            filter.clone();
        let kinds = BankMovementFilter {
            companies,
            bank_account,
            status,
            direction,
            ..BankMovementFilter::default()
        };
        let changed = BankMovementFilter { updated_since, ..kinds.clone() };
        Count::of(filter, kinds.clone(), [&kinds, &kinds, &changed], (None, updated_since))
    }

    fn is_narrow(filter: &BankMovementFilter, total: u64) -> bool {
        let dates = filter.from.is_some() || filter.to.is_some();
        let sizes = filter.min_amount.is_some() || filter.max_amount.is_some();
        let few = filter.import.is_some() || filter.updated_since.is_some() || dates || sizes;
        few && total <= FEW
    }

    fn sort_column(key: BankMovementSort) -> &'static str {
        match key {
            BankMovementSort::BookingDate => "booking_date",
            BankMovementSort::Amount => "amount_rank",
            BankMovementSort::UpdatedAt => "updated_at",
        }
    }
}

/// Numbers of accounts are masked, and what is masked is not found.
fn searched(movement: &BankMovement) -> String {
    let name = movement.counterparty_name.as_deref();
    let texts = [Some(movement.description.as_str()), name].into_iter().flatten();
    let texts: Vec<_> =
        texts.chain(movement.references.iter().map(String::as_str)).map(without_ibans).collect();
    search_keys(texts.iter().map(AsRef::as_ref))
}

/// `amount`, `balance_after`, `currency`
impl Columns for Moved {
    fn store(&self, values: &mut Vec<Value>) {
        values.extend([
            self.amount.minor().put(),
            self.balance_after.map(Amount::minor).put(),
            self.amount.currency().put(),
        ]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [amount, balance, currency] = columns else { return Err(StoreError::backend("three columns")) };
        let currency: Currency = Cell::take(row, currency)?;
        let read =
            |minor: i64| Amount::from_minor(minor, currency).map_err(|_| broken("bank_movements.amount"));
        let balance: Option<i64> = Cell::take(row, balance)?;
        Ok(Self { amount: read(Cell::take(row, amount)?)?, balance_after: balance.map(read).transpose()? })
    }
}

/// `fingerprint`, `occurrence`
impl Columns for Place {
    fn store(&self, values: &mut Vec<Value>) {
        values.extend([self.fingerprint.uuid().into(), self.occurrence.put()]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [fingerprint, occurrence] = columns else { return Err(StoreError::backend("two columns")) };
        let fingerprint = row.try_get("", fingerprint).map(Fingerprint::from_uuid).map_err(backend)?;
        Ok(Self { fingerprint, occurrence: Cell::take(row, occurrence)? })
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> BankMovementReader for SeaStore<C> {
    async fn occurrences(
        &self,
        company: AccountId,
        account: BankAccountId,
        fingerprints: &[Fingerprint],
    ) -> Result<HashMap<Fingerprint, u32>, StoreError> {
        // Counted one by one, and with the company out of reach of the indexes that begin with it: a planner that expects a
        // movement or two of the account, as PostgreSQL does where its statistics are older, would read all of them.
        let found = self
            .sql("SELECT fingerprint, (SELECT count(*) FROM svc_bank_movements WHERE bank_account_id = ")
            .bind(account.uuid())
            .text(" AND svc_bank_movements.fingerprint = asked.fingerprint AND (company_id = ")
            .bind(company.uuid())
            .text(") IS TRUE) AS number FROM ");
        let asked: HashSet<_> = fingerprints.iter().map(|fingerprint| fingerprint.uuid()).collect();
        let found = found.each_id("fingerprint", asked).text(" AS asked");
        let number = |row: &QueryResult| {
            let fingerprint = row.try_get("", "fingerprint").map(Fingerprint::from_uuid).map_err(backend)?;
            Ok((fingerprint, Cell::take(row, "number")?))
        };
        let numbers = self.rows(found).await?.iter().map(number).collect::<Result<Vec<_>, StoreError>>()?;
        Ok(numbers.into_iter().filter(|(_, number)| *number > 0).collect())
    }

    async fn booked_on(
        &self,
        company: AccountId,
        text: &TextKey,
    ) -> Result<Option<(AccountCode, u32)>, StoreError> {
        let found = "SELECT account_code, count(*) AS number FROM (SELECT account_code FROM svc_bank_bookings \
                     WHERE company_id = ";
        let found = self.sql(found).bind(company.uuid()).text(" AND text_key = ").bind(text.as_str());
        let found = found.text(
            " ORDER BY movement_id DESC LIMIT 50) AS last GROUP BY account_code ORDER BY number DESC, account_code LIMIT 1",
        );
        let booked = |row: &QueryResult| Ok((Cell::take(row, "account_code")?, Cell::take(row, "number")?));
        self.rows(found).await?.first().map(booked).transpose()
    }

    async fn pending_of(
        &self,
        company: AccountId,
        import: BankMovementImportId,
        after: Option<BankMovementId>,
        limit: u32,
    ) -> Result<Vec<BankMovement>, StoreError> {
        let found = format!(
            "SELECT {} FROM svc_bank_movements WHERE company_id = ",
            BankMovement::COLUMNS.join(", ")
        );
        let found = self.sql(&found).bind(company.uuid()).text(" AND import_id = ").bind(import.uuid());
        let found = found.text(" AND status = 0").and(" AND id > ", after.map(TypedId::uuid));
        let rows = self.rows(found.text(" ORDER BY id LIMIT ").bind(i64::from(limit))).await?;
        rows.iter().map(BankMovement::read).collect()
    }

    async fn pending_in(&self, company: AccountId, span: Span) -> Result<u64, StoreError> {
        let pending = self.sql("SELECT count(*) FROM svc_bank_movements WHERE status = 0 AND company_id = ");
        let pending = pending.bind(company.uuid()).text(" AND booking_date >= ").bind(span.start().to_sql());
        self.count_of(pending.text(" AND booking_date <= ").bind(span.end().to_sql())).await
    }

    async fn pending(
        &self,
        scope: &Scope,
        accounts: &[BankAccountId],
    ) -> Result<HashMap<BankAccountId, u64>, StoreError> {
        let counted = "SELECT bank_account_id, CAST(sum(number) AS bigint) AS number FROM svc_bank_movements_counts \
                       WHERE company_id";
        let counted = self
            .sql(counted)
            .within(scope)
            .text(" AND bank_account_id")
            .one_or_among(accounts.iter().map(|account| account.uuid()))
            .text(" AND status = ")
            .bind(BankMovementStatus::Pending.to_sql())
            .text(" GROUP BY bank_account_id HAVING sum(number) > 0");
        let number =
            |row: &QueryResult| Ok((Cell::take(row, "bank_account_id")?, Cell::take(row, "number")?));
        self.rows(counted).await?.iter().map(number).collect()
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> BankMovementStore for SeaStore<C> {
    async fn insert_all(&self, scope: &Scope, movements: &[BankMovement]) -> Result<(), StoreError> {
        self.insert_rows(scope, movements).await
    }
}

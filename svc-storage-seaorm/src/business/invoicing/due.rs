//! Documents of which something is due, and payments that no movement of a bank account stands against: each lead is followed
//! by an index of its own, so a million documents cost as much as a thousand.

use sea_orm::{QueryResult, Value};
use svc_business::invoicing::{
    ByMoney, DueDocument, DueLeads, Payment, PaymentLeads, UnmatchedPayment, compact_number,
};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};
use svc_core::money::{Amount, Currency};

use crate::business::cell::{Cell, Stored};
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::value::broken;

/// Documents of an area, and their payments.
pub(in crate::business) struct Area {
    /// The table of the documents.
    pub(in crate::business) documents: &'static str,
    /// The column of the name of the other side.
    pub(in crate::business) name: &'static str,
    /// Which of those whose `due` is something are to be paid. The indexes of leads have the same.
    pub(in crate::business) to_be_paid: &'static str,
    /// The table of the payments of money.
    pub(in crate::business) payments: &'static str,
}

/// The columns of a payment beside the document.
pub(in crate::business) const PAYMENT_COLUMNS: &[&str] =
    &["payment_id", "amount", "currency", "paid_on", "bank_account_id", "unmatched"];

/// The values of [`PAYMENT_COLUMNS`]; `None` for what is no money.
pub(in crate::business) fn payment<M: ByMoney>(payment: &Payment<M>) -> Option<Vec<Value>> {
    let money = payment.means.money()?;
    Some(vec![
        payment.id.uuid().into(),
        payment.amount.minor().put(),
        payment.amount.currency().put(),
        payment.date.put(),
        money.bank_account.put(),
        money.is_unmatched().put(),
    ])
}

/// The number of a document as leads name it.
pub(in crate::business) fn number_compact(number: Option<&str>) -> Option<String> {
    number.map(compact_number).filter(|number| !number.is_empty())
}

impl<C: DeferInsert + Send + Sync> SeaStore<C> {
    /// Documents to which leads lead.
    pub(in crate::business) async fn due_documents<I: TypedId + Cell>(
        &self,
        area: &Area,
        company: AccountId,
        leads: &DueLeads,
        limit: u32,
    ) -> Result<Vec<DueDocument<I>>, StoreError> {
        let Area { documents, name, .. } = area;
        let found = self.sql(&format!(
            "SELECT id, number, contact_id, {name} AS name, currency, due, due_date, issue_date FROM {documents} \
             WHERE company_id = "
        ));
        let found = found.bind(company.uuid()).text(" AND id").selected(|sql| {
            let lead = Lead { area, company, due: leads.due, limit };
            let [from, to] = leads.near.map(|day| day.to_sql());
            let of_amount = |sql: Sql| sql.text(" AND due = ").bind(leads.due.minor());
            let near = |sql: Sql| {
                let sql = of_amount(sql).text(" AND due_key >= ").bind(from);
                sql.text(" AND due_key <= ").bind(to)
            };
            let mut sql = lead.follow(sql, near);
            sql = lead.follow(sql.text(" UNION "), of_amount);
            for contact in &leads.contacts {
                let of_contact =
                    |sql: Sql| lead.same_side(sql).text(" AND contact_id = ").bind(contact.uuid());
                sql = lead.follow(sql.text(" UNION "), of_contact);
            }
            if !leads.numbers.is_empty() {
                let numbered = |sql: Sql| {
                    let sql = lead.same_side(sql).text(" AND number_compact");
                    sql.listed(leads.numbers.iter().map(String::as_str))
                };
                sql = lead.gather(sql.text(" UNION "), numbered);
            }
            sql
        });
        self.rows(found.text(" ORDER BY id")).await?.iter().map(due_document).collect()
    }

    /// Payments of money to which leads lead.
    pub(in crate::business) async fn unmatched_payments(
        &self,
        area: &Area,
        company: AccountId,
        leads: &PaymentLeads,
        limit: u32,
    ) -> Result<Vec<UnmatchedPayment>, StoreError> {
        let [from, to] = leads.days.map(|day| day.to_sql());
        let found =
            self.sql(&format!("SELECT payment_id, paid_on FROM {} WHERE company_id = ", area.payments));
        let found =
            found.bind(company.uuid()).text(" AND unmatched AND amount = ").bind(leads.amount.minor());
        let found = found.text(" AND currency = ").bind(leads.amount.currency().code());
        let found = found.text(" AND paid_on >= ").bind(from).text(" AND paid_on <= ").bind(to);
        let found = found.text(" AND (bank_account_id IS NULL OR bank_account_id = ");
        let found = found.bind(leads.bank_account.uuid()).text(") ORDER BY paid_on, payment_id LIMIT ");
        let payment = |row: &QueryResult| {
            Ok(UnmatchedPayment {
                payment: Cell::take(row, "payment_id")?,
                date: Cell::take(row, "paid_on")?,
            })
        };
        self.rows(found.bind(i64::from(limit))).await?.iter().map(payment).collect()
    }
}

/// A lead to documents that are to be paid: those first that were due first.
struct Lead<'l> {
    area: &'l Area,
    company: AccountId,
    due: Amount,
    limit: u32,
}

impl Lead<'_> {
    /// What an index finds in the order of the lead.
    fn follow(&self, sql: Sql, narrowed: impl FnOnce(Sql) -> Sql) -> Sql {
        self.first(self.narrowed(sql.text("SELECT id FROM (SELECT id FROM "), narrowed), "")
    }

    /// What an index finds in another order: little, which is found first and sorted then. Either engine would rather walk along
    /// the order. SQLite leaves an index alone whose column has a sign, and PostgreSQL sorts what a subquery with an offset has found.
    fn gather(&self, sql: Sql, narrowed: impl FnOnce(Sql) -> Sql) -> Sql {
        let sql = sql.text("SELECT id FROM (SELECT id FROM ");
        if sql.is_on_postgres() {
            let found = self.narrowed(sql.text("(SELECT id, due_key FROM "), narrowed);
            self.first(found.text(" OFFSET 0) AS found"), "")
        } else {
            self.first(self.narrowed(sql, narrowed), "+")
        }
    }

    fn narrowed(&self, sql: Sql, narrowed: impl FnOnce(Sql) -> Sql) -> Sql {
        let Area { documents, to_be_paid, .. } = self.area;
        let sql = sql.text(&format!("{documents} WHERE company_id = ")).bind(self.company.uuid());
        let sql = sql.text(&format!(" AND {to_be_paid} AND currency = "));
        narrowed(sql.bind(self.due.currency().code()))
    }

    fn first(&self, sql: Sql, sign: &str) -> Sql {
        let sql = sql.text(&format!(" ORDER BY {sign}due_key, {sign}id LIMIT "));
        sql.bind(i64::from(self.limit)).text(") AS lead")
    }

    /// Documents whose due amount has the sign of the movement. It is no range for SQLite, which would walk along what is due
    /// rather than follow a list of equals.
    fn same_side(&self, sql: Sql) -> Sql {
        sql.text(if self.due.minor() < 0 { " AND +due < 0" } else { " AND +due > 0" })
    }
}

fn due_document<I: TypedId + Cell>(row: &QueryResult) -> Result<DueDocument<I>, StoreError> {
    let currency: Currency = Cell::take(row, "currency")?;
    let due = Amount::from_minor(Cell::take(row, "due")?, currency).map_err(|_| broken("documents.due"))?;
    Ok(DueDocument {
        document: Cell::take(row, "id")?,
        number: Cell::take(row, "number")?,
        contact: Cell::take(row, "contact_id")?,
        name: Cell::take(row, "name")?,
        due,
        due_date: Cell::take(row, "due_date")?,
        issued: Cell::take(row, "issue_date")?,
    })
}

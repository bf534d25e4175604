//! Contacts as rows, and the questions that only contacts answer.

use std::collections::BTreeSet;
use std::time::Duration;

use async_trait::async_trait;
use sea_orm::{QueryResult, Value};
use serde::{Deserialize, Serialize};
use svc_business::contact::{
    Consent, Contact, ContactFilter, ContactReader, ContactRole, ContactSort, ContactStatus, Identity, Kind,
    StatusFilter,
};
use svc_business::party::{BirthDate, Email, Iban, TaxId};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, ContactId, TypedId};
use svc_core::pii::Pii;

use super::cell::{Cell, Columns, Stored};
use super::record::{Child, Count, FEW, Reference, Row, Tags, columns};
use super::search::search_keys;
use crate::migration::apart;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::value::{broken, exposed, json};

/// The table that references to contacts name.
pub(super) const TABLE: &str = "svc_contacts";

const ACTIVE: i16 = 0;
const ARCHIVED: i16 = 1;
const MERGED: i16 = 2;

impl Row for Contact {
    const TABLE: &'static str = TABLE;
    const REFERENCES: &'static [Reference] =
        &[Reference::once("parent_id", TABLE), Reference::once("merged_into", TABLE)];
    const CHILDREN: &'static [Child<Self>] = &[Child {
        table: "svc_contact_tags",
        owner: "contact_id",
        of_company: true,
        columns: &["tag", "status", "created_at"],
        references: &[],
        rows: |contact| {
            let row = |tag: &String| vec![tag.put(), code(contact.status).put(), contact.created_at.put()];
            contact.tags.iter().map(row).collect()
        },
        add: Some(|contact, row| {
            contact.tags.push(Cell::take(row, "tag")?);
            Ok(())
        }),
    }];
    const TAGS: Option<Tags> = Some(Tags { table: "svc_contact_tags", owner: "contact_id" });

    columns! {
        {
        id: "id",
        company: "company_id",
        identity: "kind" | "given_name" | "family_name" | "date_of_birth" | "legal_name",
        trade_name: "trade_name",
        roles: "roles",
        tax_id_kind: "tax_id_kind",
        tax_id: "tax_id",
        shares_tax_id: "shares_tax_id",
        email: "email",
        phone: "phone",
        mobile: "mobile",
        address: "address",
        shipping_address: "shipping_address",
        iban: "iban",
        bic: "bic",
        parent: "parent_id",
        language: "language",
        currency: "currency",
        payment_term_days: "payment_term_days",
        payment_method: "payment_method",
        default_tax_code: "default_tax_code",
        withholding_rate: "withholding_rate",
        equivalence_surcharge: "equivalence_surcharge",
        receivable_account_code: "receivable_account_code",
        payable_account_code: "payable_account_code",
        notes: "notes",
        consent: "consent",
        status: "status" | "merged_into",
        extension: "external_id" | "metadata",
        version: "version",
        created_at: "created_at",
        updated_at: "updated_at",
        }
        children { tags }
        derived { "email_key" = Contact::email_key, "name_key" = Contact::name_key, "search_key" = searched }
    }

    fn companies(filter: &ContactFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, filter: &ContactFilter) -> Sql {
        let status = match filter.status {
            StatusFilter::Active => Some(ACTIVE),
            StatusFilter::Archived => Some(ARCHIVED),
            StatusFilter::Merged => Some(MERGED),
            StatusFilter::All => None,
        };
        let day = |date| Timestamp::start_of(date).unix_micros();
        let day_after = |date| Timestamp::start_of(date).plus(Duration::from_hours(24)).unix_micros();
        let tagged = " AND EXISTS (SELECT 1 FROM svc_contact_tags WHERE svc_contact_tags.company_id = svc_contacts.company_id \
                      AND svc_contact_tags.contact_id = svc_contacts.id AND svc_contact_tags.tag = ";
        let sql = sql
            .and(" AND status = ", status)
            .and(" AND kind = ", filter.kind.map(Kind::name))
            .and(" AND tax_id = ", filter.tax_id.as_ref().map(|tax_id| exposed(tax_id).as_str()))
            .and(" AND parent_id = ", filter.parent.map(TypedId::uuid))
            .and(" AND merged_into = ", filter.merged_into.map(TypedId::uuid))
            .and(" AND external_id = ", filter.external_id.as_deref())
            .and(" AND updated_at >= ", filter.updated_since.map(Timestamp::unix_micros))
            .and(" AND created_at >= ", filter.from.map(day))
            .and(" AND created_at < ", filter.to.map(day_after));
        let sql = match filter.role {
            Some(role) => sql.text(" AND (roles & ").bind(bit(role)).text(") <> 0"),
            None => sql,
        };
        match filter.tag.as_deref() {
            Some(tag) => sql.text(tagged).bind(tag).text(")"),
            None => sql,
        }
    }

    fn count(filter: &ContactFilter) -> Count<'_, ContactFilter> {
        let ContactFilter { companies, status, kind, role, tag, updated_since, .. } = filter.clone();
        let plain = ContactFilter { companies, status, ..ContactFilter::default() };
        let kinds = ContactFilter { kind, role, ..plain.clone() };
        let tagged = ContactFilter { tag, ..plain.clone() };
        let changed = ContactFilter { updated_since, ..plain.clone() };
        Count::of(filter, plain, [&kinds, &tagged, &changed], (filter.tag.as_deref(), updated_since))
    }

    fn is_narrow(filter: &ContactFilter, total: u64) -> bool {
        let since = filter.updated_since.is_some() || filter.from.is_some();
        filter.tax_id.is_some()
            || filter.parent.is_some()
            || filter.merged_into.is_some()
            || filter.external_id.is_some()
            || (since && total <= FEW)
    }

    fn apart(filter: &ContactFilter) -> Option<&'static str> {
        match filter.status {
            StatusFilter::Archived | StatusFilter::Merged => Some(apart::CONTACTS),
            StatusFilter::Active | StatusFilter::All => None,
        }
    }

    fn text(filter: &ContactFilter) -> Option<&str> {
        filter.text.as_deref()
    }

    fn sort_column(key: ContactSort) -> &'static str {
        match key {
            ContactSort::Name => "name_key",
            ContactSort::CreatedAt => "created_at",
            ContactSort::UpdatedAt => "updated_at",
        }
    }
}

fn searched(contact: &Contact) -> String {
    let (name, email) = (contact.name(), contact.email.as_ref().map(Email::as_str));
    search_keys([Some(name.as_str()), contact.trade_name.as_deref(), email].into_iter().flatten())
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> ContactReader for SeaStore<C> {
    async fn active_with_tax_id(
        &self,
        company: AccountId,
        tax_id: &Pii<TaxId>,
        except: Option<ContactId>,
    ) -> Result<Option<ContactId>, StoreError> {
        let found =
            self.sql("SELECT id, created_at FROM svc_contacts WHERE company_id = ").bind(company.uuid());
        let found = found.text(" AND tax_id = ").bind(exposed(tax_id).as_str());
        let found = found.text(" AND status = ").bind(ACTIVE);
        let rows = self.rows(found.and(" AND id <> ", except.map(TypedId::uuid))).await?;
        // A handful at most. Asked to order them, SQLite would walk all contacts in that order.
        let oldest = |row: &QueryResult| Ok((i64::take(row, "created_at")?, ContactId::take(row, "id")?));
        let found = rows.iter().map(oldest).collect::<Result<Vec<_>, StoreError>>()?;
        Ok(found.into_iter().min_by_key(|(at, id)| (*at, id.uuid())).map(|(_, id)| id))
    }

    async fn active_with_iban(
        &self,
        company: AccountId,
        iban: &Pii<Iban>,
        limit: u32,
    ) -> Result<Vec<ContactId>, StoreError> {
        let found = self.sql("SELECT id FROM svc_contacts WHERE company_id = ").bind(company.uuid());
        let found = found.text(" AND iban IS NOT NULL AND iban = ").bind(exposed(iban).as_str());
        let found = found.text(" AND status = ").bind(ACTIVE).text(" ORDER BY created_at, id LIMIT ");
        self.rows(found.bind(i64::from(limit))).await?.iter().map(|row| Cell::take(row, "id")).collect()
    }

    async fn has_issued(&self, contact: &Contact) -> Result<bool, StoreError> {
        let issued = self.sql("SELECT 1 FROM svc_sales_documents WHERE status > 0 AND company_id = ");
        let issued = issued.bind(contact.company.uuid()).text(" AND contact_id = ").bind(contact.id.uuid());
        Ok(!self.rows(issued.text(" LIMIT 1")).await?.is_empty())
    }

    async fn possible_duplicates(&self, contact: &Contact, limit: u32) -> Result<Vec<Contact>, StoreError> {
        let phones: Vec<&str> = [&contact.phone, &contact.mobile]
            .into_iter()
            .flatten()
            .map(|phone| exposed(phone).as_str())
            .collect();
        let tax_id = contact.tax_id.as_ref().map(|tax_id| exposed(tax_id).as_str().to_owned());
        // A contact that was made anonymous has no name to share.
        let name = Some(contact.name_key()).filter(|name| !name.is_empty());
        let mut shared: Vec<(&str, String)> =
            [("tax_id", tax_id), ("email_key", contact.email_key()), ("name_key", name)]
                .into_iter()
                .filter_map(|(column, value)| Some((column, value?)))
                .collect();
        for phone in phones {
            shared.extend(["phone", "mobile"].map(|column| (column, phone.to_owned())));
        }
        if shared.is_empty() {
            return Ok(Vec::new());
        }
        // Each by its own index.
        let mut found = self.sql(&format!("SELECT {} FROM svc_contacts WHERE id", Self::columns()));
        found = found.selected(|mut sql| {
            for (number, (column, value)) in shared.iter().enumerate() {
                let union = if number == 0 { "" } else { " UNION " };
                sql = sql.text(union).text("SELECT id FROM svc_contacts WHERE company_id = ");
                sql =
                    sql.bind(contact.company.uuid()).text(&format!(" AND {column} = ")).bind(value.as_str());
            }
            sql
        });
        let found = found.text(" AND id <> ").bind(contact.id.uuid()).text(" AND status <> ").bind(MERGED);
        let found = found.text(" ORDER BY created_at, id LIMIT ").bind(i64::from(limit));
        let rows = self.rows(found).await?;
        self.with_children(&super::everything(), &rows).await
    }
}

impl<C> SeaStore<C> {
    fn columns() -> String {
        Contact::COLUMNS.join(", ")
    }
}

/// Roles are bits of one number; the bit of a role never changes.
const fn bit(role: ContactRole) -> i32 {
    match role {
        ContactRole::Customer => 1,
        ContactRole::Supplier => 2,
        ContactRole::Worker => 4,
        ContactRole::Lead => 8,
        ContactRole::Other => 16,
    }
}

impl Stored for BTreeSet<ContactRole> {
    type Sql = i32;

    fn to_sql(&self) -> i32 {
        self.iter().fold(0, |bits, role| bits | bit(*role))
    }

    fn from_sql(bits: i32) -> Option<Self> {
        let roles: Self = ContactRole::ALL.iter().copied().filter(|role| bits & bit(*role) != 0).collect();
        (roles.to_sql() == bits).then_some(roles)
    }
}

const fn code(status: ContactStatus) -> i16 {
    match status {
        ContactStatus::Active => ACTIVE,
        ContactStatus::Archived => ARCHIVED,
        ContactStatus::Merged { .. } => MERGED,
    }
}

/// `status`, `merged_into`
impl Columns for ContactStatus {
    fn store(&self, values: &mut Vec<Value>) {
        let into = match *self {
            Self::Active | Self::Archived => None,
            Self::Merged { into } => Some(into),
        };
        values.extend([code(*self).put(), into.put()]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [status, into] = columns else { return Err(StoreError::backend("two columns")) };
        match (Cell::take(row, status)?, Cell::take(row, into)?) {
            (ACTIVE, None) => Ok(Self::Active),
            (ARCHIVED, None) => Ok(Self::Archived),
            (MERGED, Some(into)) => Ok(Self::Merged { into }),
            _ => Err(broken("contacts.status")),
        }
    }
}

/// `kind`, `given_name`, `family_name`, `date_of_birth`, `legal_name`
impl Columns for Identity {
    fn store(&self, values: &mut Vec<Value>) {
        let nothing = || None::<String>.put();
        match self {
            Self::Person { given_name, family_name, date_of_birth } => values.extend([
                Kind::Person.put(),
                given_name.put(),
                family_name.put(),
                date_of_birth.put(),
                nothing(),
            ]),
            Self::Organization { legal_name } => {
                values.extend([Kind::Organization.put(), nothing(), nothing(), nothing(), legal_name.put()]);
            }
        }
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [kind, given, family, born, legal] = columns else {
            return Err(StoreError::backend("five columns"));
        };
        let names: [Option<String>; 3] =
            [Cell::take(row, given)?, Cell::take(row, family)?, Cell::take(row, legal)?];
        let date_of_birth: Option<Pii<BirthDate>> = Cell::take(row, born)?;
        match (Kind::take(row, kind)?, names) {
            (Kind::Person, [Some(given_name), Some(family_name), None]) => {
                Ok(Self::Person { given_name, family_name, date_of_birth })
            }
            (Kind::Organization, [None, None, Some(legal_name)]) => Ok(Self::Organization { legal_name }),
            (Kind::Person | Kind::Organization, _) => Err(broken("contacts.kind")),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct ConsentText {
    marketing: bool,
    at: i64,
    source: Option<String>,
}

impl Stored for Consent {
    type Sql = String;

    fn to_sql(&self) -> String {
        let Self { marketing, at, source } = self.clone();
        json(&ConsentText { marketing, at: at.unix_micros(), source })
    }

    fn from_sql(sql: String) -> Option<Self> {
        let ConsentText { marketing, at, source } = serde_json::from_str(&sql).ok()?;
        Some(Self { marketing, at: Timestamp::from_unix_micros(at), source })
    }
}

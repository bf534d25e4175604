//! The table of contacts.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use sea_orm::entity::prelude::*;
use sea_orm::sea_query::ExprTrait;
use sea_orm::{Condition, DatabaseBackend, Statement};
use serde::{Deserialize, Serialize};
use svc_business::contact::{
    Consent, Contact, ContactFilter, ContactRole, ContactSort, ContactStatus, Identity, Kind, StatusFilter,
};
use svc_business::party::{Bic, BirthDate, Email, Extension, Iban, LanguageTag, Phone, TaxId};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, ContactId, TypedId};
use svc_core::pii::Pii;
use svc_core::resource::Version;

use super::tag;
use crate::business::rows::Row;
use crate::business::value::{
    address, address_text, broken, containing, exposed, from_json, json, parsed, search_keys,
};

#[derive(Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "contacts")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) company_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) kind: String,
    pub(crate) given_name: Option<String>,
    pub(crate) family_name: Option<String>,
    pub(crate) date_of_birth: Option<String>,
    pub(crate) legal_name: Option<String>,
    pub(crate) trade_name: Option<String>,
    pub(crate) roles: i32,
    pub(crate) tax_id_kind: String,
    pub(crate) tax_id: Option<String>,
    pub(crate) email: Option<String>,
    pub(crate) email_key: Option<String>,
    pub(crate) phone: Option<String>,
    pub(crate) mobile: Option<String>,
    pub(crate) address: Option<String>,
    pub(crate) shipping_address: Option<String>,
    pub(crate) iban: Option<String>,
    pub(crate) bic: Option<String>,
    pub(crate) parent_id: Option<Uuid>,
    pub(crate) language: String,
    pub(crate) currency: String,
    pub(crate) payment_term_days: i32,
    pub(crate) payment_method: String,
    pub(crate) default_tax_code: Option<String>,
    pub(crate) withholding_rate: Option<String>,
    pub(crate) equivalence_surcharge: bool,
    pub(crate) receivable_account_code: Option<String>,
    pub(crate) payable_account_code: Option<String>,
    pub(crate) tags: String,
    pub(crate) notes: Option<String>,
    pub(crate) consent: Option<String>,
    pub(crate) status: i16,
    pub(crate) merged_into: Option<Uuid>,
    pub(crate) external_id: Option<String>,
    pub(crate) metadata: String,
    pub(crate) name_key: String,
    pub(crate) search_key: String,
    pub(crate) version: i64,
    pub(crate) created_at: i64,
    pub(crate) updated_at: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Rows hold personal data in plain: only the id is ever printed.
impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("contacts::Model").field("id", &self.id).finish_non_exhaustive()
    }
}

pub(super) const ACTIVE: i16 = 0;
pub(super) const ARCHIVED: i16 = 1;
pub(super) const MERGED: i16 = 2;

impl Row for Contact {
    type Entity = Entity;

    const ID: Column = Column::Id;
    const COMPANY: Column = Column::CompanyId;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const NEEDS_ACTIVE_COMPANY: bool = true;
    const UNIQUE: &'static [(&'static str, &'static str, &'static str)] =
        &[("contacts_external_id", "contacts.company_id, contacts.external_id", "externalId")];

    fn to_row(&self) -> Model {
        let (given_name, family_name, date_of_birth, legal_name) = match &self.identity {
            Identity::Person { given_name, family_name, date_of_birth } => {
                let born = date_of_birth.as_ref().map(|date| exposed(date).0.to_string());
                (Some(given_name.clone()), Some(family_name.clone()), born, None)
            }
            Identity::Organization { legal_name } => (None, None, None, Some(legal_name.clone())),
        };
        let (status, merged_into) = match self.status {
            ContactStatus::Active => (ACTIVE, None),
            ContactStatus::Archived => (ARCHIVED, None),
            ContactStatus::Merged { into } => (MERGED, Some(into.uuid())),
        };
        let phone = |phone: &Pii<Phone>| exposed(phone).as_str().to_owned();
        let name = self.name();
        let email = self.email.as_ref().map(Email::as_str);
        Model {
            company_id: self.company.uuid(),
            id: self.id.uuid(),
            kind: self.kind().name().to_owned(),
            given_name,
            family_name,
            date_of_birth,
            legal_name,
            trade_name: self.trade_name.clone(),
            roles: self.roles.iter().fold(0, |bits, role| bits | bit(*role)),
            tax_id_kind: self.tax_id_kind.name().to_owned(),
            tax_id: self.tax_id.as_ref().map(|tax_id| exposed(tax_id).as_str().to_owned()),
            email: email.map(str::to_owned),
            email_key: self.email_key(),
            phone: self.phone.as_ref().map(phone),
            mobile: self.mobile.as_ref().map(phone),
            address: address_text(self.address.as_ref()),
            shipping_address: address_text(self.shipping_address.as_ref()),
            iban: self.iban.as_ref().map(|iban| exposed(iban).as_str().to_owned()),
            bic: self.bic.as_ref().map(|bic| bic.as_str().to_owned()),
            parent_id: self.parent.map(ContactId::uuid),
            language: self.language.as_str().to_owned(),
            currency: self.currency.code().to_owned(),
            payment_term_days: i32::from(self.payment_term_days),
            payment_method: self.payment_method.name().to_owned(),
            default_tax_code: self.default_tax_code.clone(),
            withholding_rate: self.withholding_rate.clone(),
            equivalence_surcharge: self.equivalence_surcharge,
            receivable_account_code: self.receivable_account_code.clone(),
            payable_account_code: self.payable_account_code.clone(),
            tags: json(&self.tags),
            notes: self.notes.clone(),
            consent: self.consent.as_ref().map(consent_text),
            status,
            merged_into,
            external_id: self.extension.external_id.clone(),
            metadata: json(&self.extension.metadata),
            search_key: search_keys([Some(name.as_str()), email].into_iter().flatten()),
            name_key: self.name_key(),
            version: self.version.as_i64(),
            created_at: self.created_at.unix_micros(),
            updated_at: self.updated_at.unix_micros(),
        }
    }

    fn from_row(row: Model) -> Result<Self, StoreError> {
        Ok(Self {
            id: ContactId::from_uuid(row.id),
            company: AccountId::from_uuid(row.company_id),
            roles: roles(row.roles)?,
            status: status(row.status, row.merged_into)?,
            identity: identity(
                parsed("contacts.kind", &row.kind)?,
                [row.given_name, row.family_name, row.legal_name],
                row.date_of_birth.as_deref(),
            )?,
            trade_name: row.trade_name,
            tax_id_kind: parsed("contacts.tax_id_kind", &row.tax_id_kind)?,
            tax_id: row.tax_id.map(|text| Pii::new(TaxId::from_stored(text))),
            email: row.email.map(Email::from_stored),
            phone: row.phone.map(|text| Pii::new(Phone::from_stored(text))),
            mobile: row.mobile.map(|text| Pii::new(Phone::from_stored(text))),
            address: address("contacts.address", row.address.as_deref())?,
            shipping_address: address("contacts.shipping_address", row.shipping_address.as_deref())?,
            iban: row.iban.map(|text| Pii::new(Iban::from_stored(text))),
            bic: row.bic.map(Bic::from_stored),
            parent: row.parent_id.map(ContactId::from_uuid),
            language: LanguageTag::from_stored(row.language),
            currency: parsed("contacts.currency", &row.currency)?,
            payment_term_days: u16::try_from(row.payment_term_days)
                .map_err(|_| broken("contacts.payment_term_days"))?,
            payment_method: parsed("contacts.payment_method", &row.payment_method)?,
            default_tax_code: row.default_tax_code,
            withholding_rate: row.withholding_rate,
            equivalence_surcharge: row.equivalence_surcharge,
            receivable_account_code: row.receivable_account_code,
            payable_account_code: row.payable_account_code,
            tags: from_json("contacts.tags", &row.tags)?,
            notes: row.notes,
            consent: row.consent.as_deref().map(consent).transpose()?,
            extension: Extension {
                external_id: row.external_id,
                metadata: from_json("contacts.metadata", &row.metadata)?,
            },
            version: Version::from_i64(row.version),
            created_at: Timestamp::from_unix_micros(row.created_at),
            updated_at: Timestamp::from_unix_micros(row.updated_at),
        })
    }

    fn companies(filter: &ContactFilter) -> &[AccountId] {
        &filter.companies
    }

    fn condition(filter: &ContactFilter) -> Condition {
        let status = match filter.status {
            StatusFilter::Active => Some(ACTIVE),
            StatusFilter::Archived => Some(ARCHIVED),
            StatusFilter::Merged => Some(MERGED),
            StatusFilter::All => None,
        };
        let tax_id = filter.tax_id.as_ref().map(|tax_id| Column::TaxId.eq(exposed(tax_id).as_str()));
        let from = filter.from.map(|date| Column::CreatedAt.gte(Timestamp::start_of(date).unix_micros()));
        let to = filter.to.map(|date| {
            let next_day = Timestamp::start_of(date).plus(Duration::from_hours(24));
            Column::CreatedAt.lt(next_day.unix_micros())
        });
        Condition::all()
            .add_option(status.map(|status| Column::Status.eq(status)))
            .add_option(filter.role.map(|role| Expr::col(Column::Roles).bit_and(bit(role)).ne(0)))
            .add_option(filter.kind.map(|kind| Column::Kind.eq(kind.name())))
            .add_option(filter.tag.as_deref().map(|tag| Column::Id.in_subquery(tag::tagged(tag))))
            .add_option(filter.text.as_deref().map(|text| Column::SearchKey.like(containing(text))))
            .add_option(tax_id)
            .add_option(filter.parent.map(|parent| Column::ParentId.eq(parent.uuid())))
            .add_option(filter.external_id.as_deref().map(|id| Column::ExternalId.eq(id)))
            .add_option(filter.updated_since.map(|since| Column::UpdatedAt.gte(since.unix_micros())))
            .add_option(from)
            .add_option(to)
    }

    fn sort_column(key: ContactSort) -> Column {
        match key {
            ContactSort::Name => Column::NameKey,
            ContactSort::CreatedAt => Column::CreatedAt,
            ContactSort::UpdatedAt => Column::UpdatedAt,
        }
    }

    fn is_never_taken(&self) -> bool {
        // A parent is locked, and whoever changes it may keep it for a while.
        self.extension.external_id.is_none() && self.parent.is_none()
    }

    fn follow_up(&self, engine: DatabaseBackend, replaced: bool) -> Vec<Statement> {
        tag::statements(self, engine, replaced)
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

fn roles(bits: i32) -> Result<BTreeSet<ContactRole>, StoreError> {
    let roles: BTreeSet<ContactRole> =
        ContactRole::ALL.iter().copied().filter(|role| bits & bit(*role) != 0).collect();
    let known = roles.iter().fold(0, |bits, role| bits | bit(*role));
    if known == bits { Ok(roles) } else { Err(broken("contacts.roles")) }
}

fn status(code: i16, merged_into: Option<Uuid>) -> Result<ContactStatus, StoreError> {
    match (code, merged_into) {
        (ACTIVE, None) => Ok(ContactStatus::Active),
        (ARCHIVED, None) => Ok(ContactStatus::Archived),
        (MERGED, Some(into)) => Ok(ContactStatus::Merged { into: ContactId::from_uuid(into) }),
        _ => Err(broken("contacts.status")),
    }
}

fn identity(kind: Kind, names: [Option<String>; 3], born: Option<&str>) -> Result<Identity, StoreError> {
    match (kind, names) {
        (Kind::Person, [Some(given_name), Some(family_name), None]) => Ok(Identity::Person {
            given_name,
            family_name,
            date_of_birth: born.map(birth_date).transpose()?.map(Pii::new),
        }),
        (Kind::Organization, [None, None, Some(legal_name)]) => Ok(Identity::Organization { legal_name }),
        (Kind::Person | Kind::Organization, _) => Err(broken("contacts.kind")),
    }
}

fn birth_date(text: &str) -> Result<BirthDate, StoreError> {
    let midnight: Timestamp = parsed("contacts.date_of_birth", &format!("{text}T00:00:00Z"))?;
    Ok(BirthDate(midnight.date()))
}

#[derive(Serialize, Deserialize)]
struct ConsentText {
    marketing: bool,
    at: i64,
    source: Option<String>,
}

fn consent_text(consent: &Consent) -> String {
    let Consent { marketing, at, source } = consent.clone();
    json(&ConsentText { marketing, at: at.unix_micros(), source })
}

fn consent(text: &str) -> Result<Consent, StoreError> {
    let ConsentText { marketing, at, source } = from_json("contacts.consent", text)?;
    Ok(Consent { marketing, at: Timestamp::from_unix_micros(at), source })
}

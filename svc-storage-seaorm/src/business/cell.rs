//! How values of the domain are written in columns, and read back.
//!
//! A value of one column is [`Stored`]; one that may be missing is an `Option` of it. A value of several
//! columns, such as a status with the data of that status, implements [`Columns`] itself.

use std::collections::BTreeMap;

use sea_orm::sea_query::Nullable;
use sea_orm::{QueryResult, TryGetable, Value};
use svc_business::account::LegalForm;
use svc_business::contact::{Kind, PaymentMethod};
use svc_business::party::{
    Address, AddressView, Bic, BirthDate, Country, Email, Extension, Iban, LanguageTag, Phone, TaxId,
    TaxIdKind, Website,
};
use svc_core::clock::Timestamp;
use svc_core::digest::Digest;
use svc_core::error::StoreError;
use svc_core::id::{
    AccountId, BankAccountId, BankMovementId, BankMovementImportId, CaseId, ContactId, DataRoomFileId,
    DataRoomGrantId, EnvelopeId, FileId, FiscalYearId, FixedAssetId, FolderId, GroupId, JobId,
    JournalEntryId, JournalLineId, LedgerAccountId, NoticeId, PaymentId, SalesDocumentId, SeriesId, SignerId,
    SupplierDocumentId, SupplierId, TaxProfileId, TaxReturnId, TokenId, TypedId, UserId,
};
use svc_core::money::Currency;
use svc_core::pii::{Mask, Pii};
use svc_core::resource::Version;
use time::Date;
use uuid::Uuid;

use crate::value::{broken, exposed, json};

/// A value of one column that is never null.
pub(crate) trait Stored: Sized {
    /// What the column holds.
    type Sql: TryGetable + Into<Value> + Nullable;

    /// The value as the column holds it.
    fn to_sql(&self) -> Self::Sql;

    /// The value of a column; `None` when the domain does not know it.
    fn from_sql(sql: Self::Sql) -> Option<Self>;
}

/// A value of one column or several.
pub(crate) trait Columns: Sized {
    /// Adds the value of each column.
    fn store(&self, values: &mut Vec<Value>);

    /// The value of these columns, as many as [`Columns::store`] adds.
    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError>;
}

/// A value of one column, null or not.
pub(crate) trait Cell: Sized {
    /// The value as the column holds it.
    fn put(&self) -> Value;

    /// The value of a column.
    fn take(row: &QueryResult, column: &'static str) -> Result<Self, StoreError>;
}

impl<T: Stored> Cell for T {
    fn put(&self) -> Value {
        self.to_sql().into()
    }

    fn take(row: &QueryResult, column: &'static str) -> Result<Self, StoreError> {
        let sql = row.try_get("", column).map_err(crate::error::backend)?;
        T::from_sql(sql).ok_or_else(|| broken(column))
    }
}

impl<T: Stored> Cell for Option<T> {
    fn put(&self) -> Value {
        self.as_ref().map_or_else(T::Sql::null, |value| value.to_sql().into())
    }

    fn take(row: &QueryResult, column: &'static str) -> Result<Self, StoreError> {
        let sql: Option<T::Sql> = row.try_get("", column).map_err(crate::error::backend)?;
        sql.map(|sql| T::from_sql(sql).ok_or_else(|| broken(column))).transpose()
    }
}

impl<T: Cell> Columns for T {
    fn store(&self, values: &mut Vec<Value>) {
        values.push(self.put());
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [column] = columns else { return Err(StoreError::backend("a value of one column")) };
        T::take(row, column)
    }
}

/// Values whose column holds the very value.
macro_rules! plain {
    ($($kind:ty),+) => {$(
        impl Stored for $kind {
            type Sql = Self;

            fn to_sql(&self) -> Self {
                self.clone()
            }

            fn from_sql(sql: Self) -> Option<Self> {
                Some(sql)
            }
        }
    )+};
}
plain!(String, bool, i16, i32, i64);

/// Ids.
macro_rules! ids {
    ($($kind:ty),+) => {$(
        impl Stored for $kind {
            type Sql = Uuid;

            fn to_sql(&self) -> Uuid {
                self.uuid()
            }

            fn from_sql(sql: Uuid) -> Option<Self> {
                Some(Self::from_uuid(sql))
            }
        }
    )+};
}
ids!(
    AccountId,
    BankAccountId,
    BankMovementId,
    BankMovementImportId,
    CaseId,
    ContactId,
    DataRoomFileId,
    DataRoomGrantId,
    EnvelopeId,
    FileId,
    FiscalYearId,
    FixedAssetId,
    FolderId,
    GroupId,
    JobId,
    JournalEntryId,
    JournalLineId,
    NoticeId,
    PaymentId,
    LedgerAccountId,
    SalesDocumentId,
    SeriesId,
    SignerId,
    SupplierDocumentId,
    SupplierId,
    TaxProfileId,
    TaxReturnId,
    TokenId,
    UserId
);

/// Values that are written by a name of a closed list, which may have grown since this program was built.
macro_rules! named {
    ($($kind:ty: $name:ident),+) => {$(
        impl $crate::business::cell::Stored for $kind {
            type Sql = String;

            fn to_sql(&self) -> String {
                self.$name().to_owned()
            }

            fn from_sql(sql: String) -> Option<Self> {
                sql.parse().ok()
            }
        }
    )+};
}
pub(crate) use named;
named!(Kind: name, PaymentMethod: name, TaxIdKind: name, LegalForm: name, Currency: code, Country: code);

/// Texts that were checked before they were stored.
macro_rules! texts {
    ($($kind:ty),+) => {$(
        impl Stored for $kind {
            type Sql = String;

            fn to_sql(&self) -> String {
                self.as_str().to_owned()
            }

            fn from_sql(sql: String) -> Option<Self> {
                Some(Self::from_stored(sql))
            }
        }
    )+};
}
texts!(TaxId, Phone, Iban, Bic, Email, LanguageTag, Website);

impl<T: Stored> Stored for Pii<T> {
    type Sql = T::Sql;

    fn to_sql(&self) -> T::Sql {
        exposed(self).to_sql()
    }

    fn from_sql(sql: T::Sql) -> Option<Self> {
        T::from_sql(sql).map(Self::new)
    }
}

/// Values of a closed list that are written by a number, each of them named.
macro_rules! numbered {
    ($kind:ty { $($value:ident = $number:literal),+ $(,)? }) => {
        impl $crate::business::cell::Stored for $kind {
            type Sql = i16;

            fn to_sql(&self) -> i16 {
                match self {
                    $(Self::$value => $number),+
                }
            }

            fn from_sql(sql: i16) -> Option<Self> {
                match sql {
                    $($number => Some(Self::$value),)+
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use numbered;

/// Values that are written as they are displayed.
macro_rules! displayed {
    ($($kind:ty),+ $(,)?) => {$(
        impl $crate::business::cell::Stored for $kind {
            type Sql = String;

            fn to_sql(&self) -> String {
                self.to_string()
            }

            fn from_sql(sql: String) -> Option<Self> {
                sql.parse().ok()
            }
        }
    )+};
}
pub(crate) use displayed;
displayed!(Digest);

impl Stored for Timestamp {
    type Sql = i64;

    fn to_sql(&self) -> i64 {
        self.unix_micros()
    }

    fn from_sql(sql: i64) -> Option<Self> {
        Some(Self::from_unix_micros(sql))
    }
}

impl Stored for Version {
    type Sql = i64;

    fn to_sql(&self) -> i64 {
        self.as_i64()
    }

    fn from_sql(sql: i64) -> Option<Self> {
        Some(Self::from_i64(sql))
    }
}

impl Stored for u32 {
    type Sql = i64;

    fn to_sql(&self) -> i64 {
        i64::from(*self)
    }

    fn from_sql(sql: i64) -> Option<Self> {
        Self::try_from(sql).ok()
    }
}

impl Stored for u64 {
    type Sql = i64;

    fn to_sql(&self) -> i64 {
        i64::try_from(*self).unwrap_or(i64::MAX)
    }

    fn from_sql(sql: i64) -> Option<Self> {
        Self::try_from(sql).ok()
    }
}

impl Stored for Date {
    type Sql = String;

    fn to_sql(&self) -> String {
        self.to_string()
    }

    fn from_sql(sql: String) -> Option<Self> {
        let midnight: Timestamp = format!("{sql}T00:00:00Z").parse().ok()?;
        Some(midnight.date())
    }
}

impl Stored for u16 {
    type Sql = i32;

    fn to_sql(&self) -> i32 {
        i32::from(*self)
    }

    fn from_sql(sql: i32) -> Option<Self> {
        Self::try_from(sql).ok()
    }
}

impl Stored for u8 {
    type Sql = i16;

    fn to_sql(&self) -> i16 {
        i16::from(*self)
    }

    fn from_sql(sql: i16) -> Option<Self> {
        Self::try_from(sql).ok()
    }
}

impl Stored for BirthDate {
    type Sql = String;

    fn to_sql(&self) -> String {
        self.0.to_sql()
    }

    fn from_sql(sql: String) -> Option<Self> {
        Date::from_sql(sql).map(Self)
    }
}

impl Stored for Address {
    type Sql = String;

    fn to_sql(&self) -> String {
        json(&self.full())
    }

    fn from_sql(sql: String) -> Option<Self> {
        let view: AddressView = serde_json::from_str(&sql).ok()?;
        Some(Self {
            line1: view.line1,
            line2: view.line2,
            postal_code: view.postal_code,
            city: view.city,
            province: view.province,
            country: view.country.parse().ok()?,
        })
    }
}

impl Stored for BTreeMap<String, String> {
    type Sql = String;

    fn to_sql(&self) -> String {
        json(self)
    }

    fn from_sql(sql: String) -> Option<Self> {
        serde_json::from_str(&sql).ok()
    }
}

/// `external_id`, `metadata`
impl Columns for Extension {
    fn store(&self, values: &mut Vec<Value>) {
        values.extend([self.external_id.put(), self.metadata.put()]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [external_id, metadata] = columns else { return Err(StoreError::backend("two columns")) };
        Ok(Self { external_id: Cell::take(row, external_id)?, metadata: Cell::take(row, metadata)? })
    }
}

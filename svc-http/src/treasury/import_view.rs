//! An import of movements as a response carries it.

use svc_business::bank::import::{
    BankMovementImport, ImportFormat, ImportStatus, ImportWarning, ImportWarningCode,
};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, BankAccountId, BankMovementImportId};
use svc_core::money::Amount;
use svc_core::pii::PiiAccess;
use svc_core::resource::Resource;
use svc_core::wire::Form;
use svc_core::wire_view;

use super::movement_view::shown;

wire_view! {
    /// Movements that came to an account together.
    #[derive(Debug)]
    pub(crate) struct ImportView as "BankMovementImport" {
        id: BankMovementImportId,
        object: &'static str => Form::one_of(&["bank_movement_import"]),
        company_id: AccountId,
        version: i64,
        bank_account_id: BankAccountId,
        /// How they were written; `manual` by hand.
        format: ImportFormat => Form::ANY.example("n43"),
        /// What the file was called; numbers of accounts in it are masked as `iban` is.
        file_name: Option<String> => Form::ANY.example("enero.n43"),
        /// SHA-256 of the file, in hexadecimal.
        sha256: Option<String> => Form::pattern("^[0-9a-f]{64}$").json("null"),
        /// `processing` until all movements are there.
        status: ImportStatus => Form::ANY.example("completed"),
        /// The first day that it is about.
        from: Option<String> => Form::DATE,
        /// The last day that it is about.
        to: Option<String> => Form::DATE,
        /// The currency of the account.
        currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        /// What the account held before the first movement, as the statement says.
        opening_balance: Option<String> => Form::ANY.example("1000.00"),
        /// What it held after the last one.
        closing_balance: Option<String> => Form::ANY.example("1210.00"),
        /// How many movements it has.
        lines: u32 => Form::ANY.number(1),
        /// How many of them are new; those so far while it is processed.
        created: u32 => Form::ANY.number(1),
        /// How many the account had already; null while it is processed.
        duplicates: Option<u32> => Form::ANY.number(0),
        /// What people should know of it.
        warnings: Vec<WarningView>,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

wire_view! {
    /// What people should know of an import that went well.
    #[derive(Debug)]
    pub(crate) struct WarningView as "BankMovementImportWarning" {
        /// What it is about.
        code: ImportWarningCode => Form::ANY.example("gap"),
        /// In words.
        message: String => Form::ANY.example("the statement begins with 10.00, and the one before it ended with 12.00"),
    }
}

impl ImportView {
    /// The import as this sight may see it.
    pub(super) fn of(import: &BankMovementImport, access: PiiAccess) -> Self {
        let balance = |amount: Option<Amount>| amount.map(|amount| amount.to_string());
        Self {
            id: import.id,
            object: BankMovementImport::NAME,
            company_id: import.company,
            version: import.version.as_i64(),
            bank_account_id: import.bank_account,
            format: import.format,
            file_name: import.file_name.as_deref().map(|name| shown(name, access)),
            sha256: import.digest.clone(),
            status: import.status,
            from: import.from.map(|date| date.to_string()),
            to: import.to.map(|date| date.to_string()),
            currency: import.balances.currency.code(),
            opening_balance: balance(import.balances.opening),
            closing_balance: balance(import.balances.closing),
            lines: import.lines,
            created: import.created,
            duplicates: import.duplicates(),
            warnings: import.warnings.iter().map(WarningView::of).collect(),
            created_at: import.created_at,
            updated_at: import.updated_at,
        }
    }
}

impl WarningView {
    fn of(warning: &ImportWarning) -> Self {
        Self { code: warning.code, message: warning.message.clone() }
    }
}

//! A movement of a bank account as a response carries it.

use svc_business::bank::movement::{BankMovement, BankMovementStatus, without_ibans};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, BankAccountId, BankMovementId, BankMovementImportId};
use svc_core::pii::{PiiAccess, Shown};
use svc_core::resource::Resource;
use svc_core::wire::Form;
use svc_core::wire_view;

use super::reconciliation_view::ReconciliationView;

wire_view! {
    /// Money that a bank account gained or lost, as the bank says.
    #[derive(Debug)]
    pub(crate) struct MovementView as "BankMovement" {
        id: BankMovementId,
        object: &'static str => Form::one_of(&["bank_movement"]),
        company_id: AccountId,
        version: i64,
        bank_account_id: BankAccountId,
        /// The import that it came with.
        import_id: BankMovementImportId,
        /// When the bank booked it.
        booking_date: String => Form::DATE,
        /// From when it counts for interest.
        value_date: String => Form::DATE,
        /// What the account gained, below zero for what it lost.
        amount: String => Form::ANY.example("-12.50"),
        /// The currency of the account.
        currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        /// What the account held then, where the bank tells it.
        balance_after: Option<String> => Form::ANY.example("1197.50"),
        /// What the bank says of it; numbers of accounts in it are masked as `counterpartyIban` is.
        description: String => Form::ANY.example("Compra tarjeta papeleria"),
        /// Who paid, or was paid.
        counterparty_name: Option<String> => Form::ANY.example("Papelería Abeto"),
        /// Masked but for the first four and the last four characters.
        counterparty_iban: Option<Shown<String>>,
        /// Numbers that bank and payer gave; those of accounts are masked as `counterpartyIban` is.
        references: Vec<String> => Form::ANY.json("[]"),
        /// What kind of movement the bank says it is: concepts of Norma 43, or a code of ISO 20022.
        bank_code: Option<String> => Form::ANY.example("12-000"),
        /// `pending` until it is reconciled or ignored.
        status: BankMovementStatus => Form::ANY.example("pending"),
        /// What it stands for, once that is known.
        reconciliation: Option<ReconciliationView> => Form::ANY.json("null"),
        /// What people write about it.
        notes: Option<String>,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

/// A text of a bank as this sight may see it.
pub(super) fn shown(text: &str, access: PiiAccess) -> String {
    if access.is_full() { text.to_owned() } else { without_ibans(text).into_owned() }
}

impl MovementView {
    /// The movement as this sight may see it.
    pub(super) fn of(movement: &BankMovement, access: PiiAccess) -> Self {
        let text = |text: &String| shown(text, access);
        Self {
            id: movement.id,
            object: BankMovement::NAME,
            company_id: movement.company,
            version: movement.version.as_i64(),
            bank_account_id: movement.bank_account,
            import_id: movement.import,
            booking_date: movement.booking_date.to_string(),
            value_date: movement.value_date.to_string(),
            amount: movement.moved.amount.to_string(),
            currency: movement.moved.amount.currency().code(),
            balance_after: movement.moved.balance_after.map(|balance| balance.to_string()),
            description: text(&movement.description),
            counterparty_name: movement.counterparty_name.as_ref().map(text),
            counterparty_iban: movement.counterparty_iban.as_ref().map(|iban| iban.show(access)),
            references: movement.references.iter().map(text).collect(),
            bank_code: movement.bank_code.clone(),
            status: movement.state.status(),
            reconciliation: movement
                .state
                .reconciliation()
                .map(|known| ReconciliationView::of(known, access)),
            notes: movement.notes.clone(),
            created_at: movement.created_at,
            updated_at: movement.updated_at,
        }
    }
}

//! A supplier as a response carries it: what is its own, and what its contact says.

use std::collections::BTreeMap;

use svc_business::books::account::AccountCode;
use svc_business::contact::{Contact, PaymentMethod};
use svc_business::party::AddressView;
use svc_business::purchases::supplier::{Supplier, SupplierStatus, SupplierType, VatRegime, WithholdingKey};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, ContactId, SupplierId};
use svc_core::pii::{PiiAccess, Shown};
use svc_core::resource::Resource;
use svc_core::wire::Form;
use svc_core::wire_view;

wire_view! {
    /// A contact that a company buys from.
    #[derive(Debug)]
    pub(crate) struct View as "Supplier" {
        id: SupplierId,
        object: &'static str => Form::one_of(&["supplier"]),
        company_id: AccountId,
        version: i64,
        contact_id: ContactId,
        /// That of the contact, as are the members below it until `iban`.
        name: String => Form::ANY.example("Papelería Mar SL"),
        /// Masked but for the first and the last two characters.
        tax_id: Option<Shown<String>> => Form::ANY.example("B******74"),
        email: Option<String> => Form::EMAIL,
        /// Masked but for the last three digits.
        phone: Option<Shown<String>> => Form::ANY.example("*********000"),
        /// Null when masked.
        address: Option<Shown<AddressView>> => Form::ANY.json("null"),
        /// Masked but for the first four and the last four characters.
        iban: Option<Shown<String>>,
        /// The company's own number for it.
        code: Option<String> => Form::ANY.example("S-0042"),
        supplier_type: SupplierType,
        /// Days until an invoice is due; null for those of the contact.
        payment_term_days: Option<u16> => Form::range(0, 365).json("null"),
        payment_method: Option<PaymentMethod> => Form::ANY.json("null"),
        /// The account of lines that name none.
        default_expense_account_code: Option<AccountCode> => Form::ANY.json("null"),
        /// The tax of lines that name none; null for the one by `vatRegime`.
        default_tax_code: Option<String> => Form::ANY.json("null"),
        /// What is withheld of lines that do not say.
        default_withholding_rate: String => Form::ANY.example("0"),
        withholding_key: WithholdingKey,
        vat_regime: VatRegime,
        status: SupplierStatus,
        /// Ledger account of what it is owed, given by the books; null for the one that all share.
        payable_account_code: Option<String> => Form::ANY.json("null"),
        external_id: Option<String>,
        metadata: BTreeMap<String, String> => Form::ANY.json(r#"{"region":"north"}"#),
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

impl View {
    /// The supplier as this sight may see it. One without its contact, which a merge moves in the same commit, has no
    /// name.
    pub(super) fn of(supplier: &Supplier, contact: Option<&Contact>, access: PiiAccess) -> Self {
        Self {
            id: supplier.id,
            object: Supplier::NAME,
            company_id: supplier.company,
            version: supplier.version.as_i64(),
            contact_id: supplier.contact,
            name: contact.map(Contact::name).unwrap_or_default(),
            tax_id: contact.and_then(|contact| contact.tax_id.as_ref()).map(|id| id.show(access)),
            email: contact.and_then(|contact| contact.email.as_ref()).map(|email| email.as_str().to_owned()),
            phone: contact.and_then(|contact| contact.phone.as_ref()).map(|phone| phone.show(access)),
            address: contact.and_then(|contact| contact.address.as_ref()).map(|one| one.show(access)),
            iban: contact.and_then(|contact| contact.iban.as_ref()).map(|iban| iban.show(access)),
            code: supplier.code.clone(),
            supplier_type: supplier.supplier_type,
            payment_term_days: supplier.payment_term_days,
            payment_method: supplier.payment_method,
            default_expense_account_code: supplier.expense_account,
            default_tax_code: supplier.tax_code.clone(),
            default_withholding_rate: supplier.withholding_rate.to_string(),
            withholding_key: supplier.withholding_key,
            vat_regime: supplier.vat_regime,
            status: supplier.status,
            payable_account_code: contact.and_then(|contact| contact.payable_account_code.clone()),
            external_id: supplier.extension.external_id.clone(),
            metadata: supplier.extension.metadata.clone(),
            created_at: supplier.created_at,
            updated_at: supplier.updated_at,
        }
    }
}

//! A supplier as a client writes it.

use std::collections::BTreeMap;

use svc_core::id::ContactId;
use svc_core::patch::Patch;
use svc_core::wire::Form;
use svc_core::wire_patch;

use super::{SupplierStatus, SupplierType, VatRegime, WithholdingKey};
use crate::books::account::AccountCode;
use crate::contact::{ContactInput, PaymentMethod};
use crate::invoicing::input::TAX_CODE;
use crate::party::form;

wire_patch! {
    /// A contact that a company buys from, as a client writes it. A new supplier names its contact by `contactId`, or
    /// describes one by `contact`: an active contact with that tax id is taken, or else a new one is created. Later,
    /// `contact` changes the contact.
    pub struct SupplierInput as "Supplier" in company
        computed [name, taxId, email, phone, address, iban, payableAccountCode]
    {
        /// The contact; fixed once the supplier is there.
        contact as "contactId": Patch<ContactId>,
        /// What is written of the contact.
        party as "contact": Patch<ContactInput>,
        /// The company's own number for it, unique per company.
        code: Patch<String> => Form::text(1, 50).example("S-0042"),
        /// `trade` is owed on account 400, `creditor` on 410; `trade` when left out.
        supplier_type: Patch<SupplierType>,
        /// Days until an invoice is due; those of the contact when left out.
        payment_term_days: Patch<i64> => Form::range(0, 365).number(30),
        /// How it is paid; as the contact is when left out.
        payment_method: Patch<PaymentMethod>,
        /// The account of lines that name none, of group 6 or 2.
        expense_account as "defaultExpenseAccountCode": Patch<AccountCode>,
        /// The tax of lines that name none; by `vatRegime` when left out.
        default_tax_code: Patch<String> => TAX_CODE,
        /// What is withheld of lines that do not say, up to 47.
        withholding_rate as "defaultWithholdingRate": Patch<String> => form::PERCENT,
        /// For what tax is withheld; `professional` when left out.
        withholding_key: Patch<WithholdingKey>,
        /// How its supplies are taxed; `domestic` when left out.
        vat_regime: Patch<VatRegime>,
        /// Archives a supplier or brings it back.
        [update] status: Patch<SupplierStatus>,
        /// An integrator's own id, unique per company.
        external_id: Patch<String> => form::EXTERNAL_ID,
        /// An integrator's own pairs, at most 50; null for a key removes it.
        metadata: Patch<BTreeMap<String, Option<String>>> => form::METADATA,
    }
}

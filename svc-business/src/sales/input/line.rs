//! A line as a client writes it.

use std::collections::BTreeMap;

use svc_core::id::SalesLineId;
use svc_core::wire::Form;
use svc_core::wire_request;

use crate::invoicing::input::{DECIMAL, LINE_TAGS, TAX_CODE};
use crate::party::form;
use crate::sales::document::ItemType;
use crate::trade::ExemptionCode;

wire_request! {
    /// A line of a sales document. Lines are written as a whole list; one that names its id keeps it, and what a line
    /// leaves out is as in a new one.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct SalesLineInput as "SalesLineInput" {
        /// Of a line that the document has.
        pub id: Option<SalesLineId>,
        /// What is sold.
        pub description: String => Form::text(1, 1_000).example("Consulting"),
        /// How much, not zero; 1 when left out.
        pub quantity: Option<String> => DECIMAL,
        /// A code of UN/ECE recommendation 20; `C62` when left out.
        pub unit: Option<String> => Form::pattern("^[A-Z0-9]{2,3}$").length(2, 3).example("HUR"),
        /// The price of one, in the currency of the document.
        pub unit_price: String => DECIMAL,
        /// What is taken off this line.
        pub discount_percent: Option<String> => form::PERCENT,
        /// The tax; that of the contact, or else of the company, when left out.
        pub tax_code: Option<String> => TAX_CODE,
        /// Why no tax is charged, where the tax wants a reason; the only one that fits when left out.
        pub exemption_code: Option<ExemptionCode>,
        /// What the customer keeps back (IRPF), up to 47; as the contact says when left out.
        pub withholding_rate: Option<String> => form::PERCENT,
        /// The account of the sale; one by the type of the item when left out.
        pub account_code: Option<String> => Form::pattern("^[1-9][0-9]{0,11}$").length(1, 12),
        /// What kind of thing is sold; a service when left out.
        pub item_type: Option<ItemType>,
        /// What the company sorts it by.
        #[serde(default)]
        pub tags: BTreeMap<String, String> => LINE_TAGS,
    }
}

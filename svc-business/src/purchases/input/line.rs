//! A line as a client writes it.

use std::collections::BTreeMap;

use svc_core::id::SupplierLineId;
use svc_core::wire::Form;
use svc_core::wire_request;

use crate::books::asset::class::AssetClass;
use crate::invoicing::input::{DECIMAL, LINE_TAGS, TAX_CODE};
use crate::party::form;
use crate::trade::ItemType;

wire_request! {
    /// A line of a supplier document. Lines are written as a whole list; one that names its id keeps it, and what a line
    /// leaves out is as in a new one.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct SupplierLineInput as "SupplierLineInput" {
        /// Of a line that the document has.
        pub id: Option<SupplierLineId>,
        /// What is bought.
        pub description: String => Form::text(1, 1_000).example("Paper"),
        /// How much, not zero; 1 when left out.
        pub quantity: Option<String> => DECIMAL,
        /// A code of UN/ECE recommendation 20; `C62` when left out.
        pub unit: Option<String> => Form::pattern("^[A-Z0-9]{2,3}$").length(2, 3).example("KGM"),
        /// The price of one, in the currency of the document.
        pub unit_price: String => DECIMAL,
        /// What is taken off this line.
        pub discount_percent: Option<String> => form::PERCENT,
        /// The tax; that of the supplier, or else of its regime, when left out.
        pub tax_code: Option<String> => TAX_CODE,
        /// How much of the tax can be deducted; the pro-rata of the company when left out.
        pub deductible_percent: Option<String> => form::PERCENT,
        /// What the company withholds (IRPF), up to 47; as the supplier says when left out.
        pub withholding_rate: Option<String> => form::PERCENT,
        /// The account of the cost, of group 6 or 2. When left out it is that of the asset's class, of the supplier, or of
        /// what the line is of.
        pub account_code: Option<String> => Form::pattern("^[26][0-9]{0,11}$").length(1, 12),
        /// What kind of thing is bought; a service when left out.
        pub item_type: Option<ItemType>,
        /// The class of the fixed asset that it becomes.
        pub asset_class: Option<AssetClass>,
        /// What the company sorts it by.
        #[serde(default)]
        pub tags: BTreeMap<String, String> => LINE_TAGS,
    }
}

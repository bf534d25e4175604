//! What a client writes of an entry.

use std::collections::BTreeMap;

use svc_core::id::{ContactId, JournalLineId};
use svc_core::patch::Patch;
use svc_core::wire::Form;
use svc_core::{wire_patch, wire_request};

use crate::books::account::AccountCode;
use crate::books::entry::TagKind;
use crate::party::form;
use crate::trade::{ExemptionCode, Supply};

/// An amount of either sign.
const AMOUNT: Form = Form::pattern(r"^-?[0-9]{1,13}(\.[0-9]{1,4})?$").length(1, 20).example("1210.00");
/// One side of a line.
const SIDE: Form = Form::pattern(r"^[0-9]{1,13}(\.[0-9]{1,4})?$").length(1, 19).example("1210.00");

/// Pairs that a company sorts by.
const DIMENSIONS: Form = Form::each(&Form::text(1, 200)).keys(40).json(r#"{"project":"roof"}"#);

wire_patch! {
    /// An entry of the journal, as a client writes it.
    pub struct EntryInput as "JournalEntry" computed [
        number, kind, status, totalDebit, totalCredit, isBalanced, difference, source, reversesId, reversedById,
        postedAt, postedBy, hash, previousHash, baseCurrency, fiscalYearId,
    ] {
        /// The day on which it counts.
        [always] date: Patch<String> => Form::DATE,
        /// What it is about.
        [always] description: Patch<String> => Form::text(1, 500).example("Alquiler de enero"),
        /// The number of a paper that it refers to.
        reference: Patch<String> => Form::text(1, 100),
        /// ISO 4217: the currency of what it records; the company's when left out.
        [kept] currency: Patch<String> => form::CURRENCY,
        /// How many units of the base currency one unit of `currency` is.
        [kept] fx_rate: Patch<String> => Form::pattern(r"^[0-9]{1,11}(\.[0-9]{1,8})?$").length(1, 20).example("1"),
        /// Its lines in their order, 2 at least to be posted.
        lines: Patch<Vec<LineInput>> => Form::list(0, 1000, &Form::ANY),
        /// What it means for taxes: returns read nothing else.
        tax_tags: Patch<Vec<TagInput>> => Form::list(0, 100, &Form::ANY).json("[]"),
        /// Whether a new entry is posted at once, which takes the permission to post as well.
        post: bool,
        /// An integrator's own id, unique per company.
        external_id: Patch<String> => form::EXTERNAL_ID,
        /// An integrator's own pairs, at most 50; null for a key removes it.
        metadata: Patch<BTreeMap<String, Option<String>>> => form::METADATA,
    }
}

wire_request! {
    /// A line of an entry: a debit or a credit.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct LineInput as "JournalLineInput" {
        /// That of a line which the entry has, to keep it.
        pub id: Option<JournalLineId>,
        /// An active account of full length.
        pub account_code: AccountCode => Form::ANY.example("6210000"),
        /// In the base currency; left out or zero on a credit.
        pub debit: Option<String> => SIDE,
        /// In the base currency; left out or zero on a debit.
        pub credit: Option<String> => SIDE.example("0.00"),
        /// The same in the entry's own currency: above zero for a debit, below for a credit.
        pub amount_currency: Option<String> => AMOUNT,
        /// With whom; required on accounts that contacts share.
        pub contact_id: Option<ContactId> => Form::ANY.json("null"),
        /// What it is about.
        pub description: Option<String> => Form::text(1, 500),
        /// When it is due to be paid.
        pub due_date: Option<String> => Form::DATE.json("null"),
        /// What the company sorts it by, at most 20 pairs.
        pub dimensions: Option<BTreeMap<String, String>> => DIMENSIONS,
    }
}

wire_request! {
    /// What an entry means for a tax.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct TagInput as "TaxTagInput" {
        /// Which tax, and on which side.
        pub kind: TagKind,
        /// The tax at its rate.
        pub tax_code: String => Form::pattern("^[a-z0-9_]{1,40}$").length(1, 40).example("es_in_21"),
        /// What the tax is of, in the base currency; below zero where a tax is corrected.
        pub base: String => AMOUNT,
        /// The tax.
        pub quota: String => AMOUNT.example("254.10"),
        /// How much of the tax can be deducted; all of it when left out. Only VAT that was paid has it.
        pub deductible_quota: Option<String> => AMOUNT.json("null"),
        /// When the tax falls due; the date of the entry when left out.
        pub tax_date: Option<String> => Form::DATE,
        /// Why no tax is charged, of a code that has several reasons.
        pub exemption_code: Option<ExemptionCode> => Form::ANY.json("null"),
        /// What is supplied, where returns tell it apart: within the European Union, and of investment goods.
        pub supply: Option<Supply> => Form::ANY.json("null"),
        /// Of a tag that rectifies an earlier document: when the tax of that one fell due.
        pub rectifies: Option<String> => Form::DATE.json("null"),
        /// With whom.
        pub contact_id: Option<ContactId> => Form::ANY.json("null"),
    }
}

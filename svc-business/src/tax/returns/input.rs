//! What a client writes of a return.

use std::collections::BTreeMap;

use svc_core::id::{AccountId, TaxReturnId};
use svc_core::patch::Patch;
use svc_core::wire::Form;
use svc_core::{wire_patch, wire_request};
use svc_tax_forms::Model;

use super::{Channel, ReturnKind, Verdict};

/// A period as the tax agency writes it.
pub(crate) const PERIOD: Form = Form::pattern("^(0[1-9]|1[0-2]|[1-4]T|0A)$").length(2, 2).example("1T");
/// What boxes hold, by their codes.
const BOXES: Form =
    Form::each(&Form::pattern("^-?[0-9]{1,15}(\\.[0-9]{1,2})?$")).keys(10).json(r#"{"43":"-12.50"}"#);

wire_request! {
    /// A return that is made by hand: one that the calendar does not have, or that corrects another one.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct TaxReturnRequest as "TaxReturnCreate" {
        /// The company; the token's primary account when left out.
        pub company_id: Option<AccountId>,
        /// The model of the tax agency.
        pub model: Model => Form::ANY.example("303"),
        /// The year of the period; of corporate tax the one in which the tax year begins.
        pub year: i64 => Form::range(1900, 2999).number(2025),
        /// A month, a quarter, or the year, as the tax agency writes them.
        pub period: String => PERIOD,
        /// Ordinary when left out.
        pub kind: Option<ReturnKind> => Form::ANY.example("ordinary"),
        /// The return that it corrects, of the same model and period and filed; an ordinary one corrects none.
        pub corrects_id: Option<TaxReturnId> => Form::ANY.json("null"),
    }
}

wire_request! {
    /// How a return is prepared.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct PrepareRequest as "TaxReturnPrepare" {
        /// Whether it is prepared although its period lasts; false when left out.
        pub allow_early: Option<bool> => Form::ANY.json("false"),
    }
}

wire_patch! {
    /// What a person says of a return. It is prepared again with it.
    pub struct TaxReturnInput as "TaxReturn"
        computed [
            model, year, period, from, to, dueDate, kind, correctsId, status, result, partyCount, warnings, computedAt,
            booksVersion, isStale, submission, outcome, settlementEntryId, paid, due, payments
        ]
    {
        /// Boxes by their codes; null for a code leaves the box to be computed again.
        boxes: Patch<BTreeMap<String, Option<String>>> => BOXES,
        /// Whether a negative result is refunded, or offset later; null leaves it to the law.
        refund: Patch<bool> => Form::ANY.json("true"),
    }
}

wire_request! {
    /// How a return was filed.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct SubmitRequest as "TaxReturnSubmit" {
        /// By what way.
        pub channel: Channel => Form::ANY.example("manual"),
        /// The number of the receipt.
        pub receipt_number: Option<String> => Form::text(1, 50).example("2025303123456789"),
        /// The secure verification code of the receipt.
        pub csv: Option<String> => Form::pattern("^[A-Za-z0-9]{1,40}$").length(1, 40).example("ABCD1234EFGH5678"),
        /// When it was filed, not later than now; now when left out.
        pub submitted_at: Option<String> => Form::INSTANT,
    }
}

wire_request! {
    /// What the tax agency said of a return.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct OutcomeRequest as "TaxReturnOutcome" {
        /// Whether it took the return.
        pub outcome: Verdict => Form::ANY.example("accepted"),
        /// What it said.
        pub message: Option<String> => Form::text(1, 500).example("Presentada fuera de plazo"),
    }
}

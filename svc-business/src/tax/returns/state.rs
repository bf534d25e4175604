//! What a tax return is.

use std::collections::BTreeMap;

use svc_core::clock::Timestamp;
use svc_core::event::EventDeclaration;
use svc_core::id::{AccountId, ContactId, JournalEntryId, TaxReturnId, UserId};
use svc_core::money::Amount;
use svc_core::pii::Pii;
use svc_core::resource::{Resource, ResourceStore, Version};
use svc_tax_forms::{BoxValue, Manual, Model, Origin, TaxPeriod, TaxResult};
use time::Date;

use super::ReturnPayment;
use super::warning::ReturnWarning;
use crate::books::account::AccountCode;
use crate::catalogue::event;
use crate::party::TaxId;
use crate::ports::DynTaxUnit;
use crate::record::Record;

/// What a company declares of a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaxReturn {
    /// Its id.
    pub id: TaxReturnId,
    /// The company.
    pub company: AccountId,
    /// The model of the tax agency.
    pub model: Model,
    /// The days that it is about.
    pub period: TaxPeriod,
    /// Whether it is the first one of its period, or corrects one.
    pub kind: ReturnKind,
    /// The return that it corrects; none of an ordinary one.
    pub corrects: Option<TaxReturnId>,
    /// The last day on which it is filed in time.
    pub due: Date,
    /// What a person says of it.
    pub said: Said,
    /// What it comes to; none until it is prepared.
    pub figures: Option<Figures>,
    /// What became of it.
    pub status: ReturnStatus,
    /// How it was filed last; none of one that was not, or was prepared again.
    pub submission: Option<Submission>,
    /// What the tax agency said of that.
    pub outcome: Option<Outcome>,
    /// How often it was submitted: a rejected one is submitted again.
    pub submissions: u16,
    /// What movements paid of it, or refunded, in the order in which that was said; none unless it is filed.
    pub payments: Vec<ReturnPayment>,
    /// Counts its changes.
    pub version: Version,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Whether a return is the first one of its period, or corrects one (Ley 58/2003, articles 120 and 122).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReturnKind {
    /// A period has one: `ordinary`
    Ordinary,
    /// Adds to what was declared: `complementary`
    Complementary,
    /// Takes the place of what was declared: `substitute`
    Substitute,
    /// Puts right what was declared, in either direction: `rectifying`
    Rectifying,
}

svc_core::wire_names!(ReturnKind {
    Ordinary = "ordinary",
    Complementary = "complementary",
    Substitute = "substitute",
    Rectifying = "rectifying",
});

/// What a person says of a return, beside what is computed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Boxes by their codes.
    pub boxes: BTreeMap<String, BoxValue>,
    /// Whether a negative result is refunded, or offset later; as the law has it when nothing is said.
    pub refund: Option<bool>,
}

impl Said {
    /// The same as forms take it.
    #[must_use]
    pub(super) fn manual(&self) -> Manual {
        let boxes = self.boxes.iter();
        let manual = boxes.fold(Manual::new(), |manual, (code, value)| manual.with(code, *value));
        match self.refund {
            Some(refund) => manual.refund(refund),
            None => manual,
        }
    }
}

/// What a return comes to, as the books were when it was prepared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    /// When that was.
    pub at: Timestamp,
    /// How many postings it was computed from: it is stale when the books have others by now.
    pub books: u64,
    /// Every box of the form, in its order.
    pub boxes: Vec<ReturnBox>,
    /// What follows from it.
    pub result: TaxResult,
    /// What a person should know.
    pub warnings: Vec<ReturnWarning>,
    /// How many rows of parties it declares.
    pub parties: u32,
}

impl Figures {
    /// The amount of a box; `None` when the form has no such box, or it is no amount.
    #[must_use]
    pub fn amount(&self, code: &str) -> Option<Amount> {
        self.boxes.iter().find(|one| one.code == code).and_then(|one| one.value.amount())
    }
}

/// A box of a prepared return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReturnBox {
    /// Its number, as the form has it.
    pub code: String,
    /// What it holds.
    pub value: BoxValue,
    /// Where that is from.
    pub origin: Origin,
}

/// A row of a prepared declaration of parties: what it declares, not what the contact is by now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReturnParty {
    /// With whom.
    pub contact: Option<ContactId>,
    /// Their tax id then, with the country in front of those of others.
    pub tax_id: Option<Pii<TaxId>>,
    /// Their name then, surnames first.
    pub name: String,
    /// Their country: ISO 3166-1 alpha-2.
    pub country: String,
    /// The two digits of a Spanish province.
    pub province: Option<String>,
    /// The key of the tax agency: `B` of sales on 347.
    pub key: String,
    /// What is declared apart under the same key.
    pub mark: Option<String>,
    /// The period that it corrects, on 349.
    pub corrects: Option<TaxPeriod>,
    /// By column: `base`, `withheld`, `amount`.
    pub amounts: BTreeMap<String, Amount>,
}

/// What became of a return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReturnStatus {
    /// It is owed, and has no figures: `pending`
    Pending,
    /// It has figures: `prepared`
    Prepared,
    /// It was filed: `submitted`
    Submitted,
    /// The tax agency took it: `accepted`
    Accepted,
    /// The tax agency refused it, so it is prepared and submitted again: `rejected`
    Rejected,
}

svc_core::wire_names!(ReturnStatus {
    Pending = "pending",
    Prepared = "prepared",
    Submitted = "submitted",
    Accepted = "accepted",
    Rejected = "rejected",
});

impl ReturnStatus {
    /// Whether its figures were filed, and not refused.
    #[must_use]
    pub const fn is_filed(self) -> bool {
        matches!(self, Self::Submitted | Self::Accepted)
    }
}

/// How a return was filed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// When.
    pub at: Timestamp,
    /// Who said so; none for an integration.
    pub by: Option<UserId>,
    /// By what way.
    pub channel: Channel,
    /// The number of the receipt, 1 to 50 characters.
    pub receipt: Option<String>,
    /// The secure verification code of the receipt, 1 to 40 characters.
    pub csv: Option<String>,
    /// The entry that settles its VAT.
    pub settlement: Option<JournalEntryId>,
    /// The account on which that entry has what is paid or refunded; none where nothing settles it.
    pub account: Option<AccountCode>,
}

/// By what way a return was filed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// A person filed it: `manual`
    Manual,
    /// A program filed it: `electronic`
    Electronic,
}

svc_core::wire_names!(Channel { Manual = "manual", Electronic = "electronic" });

/// What the tax agency said of a return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// When that was written down.
    pub at: Timestamp,
    /// What it said, 1 to 500 characters.
    pub message: Option<String>,
}

/// What a list of returns can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaxReturnFilter {
    /// `companyId`: a subset of the scope; every company within it when empty.
    pub companies: Vec<AccountId>,
    /// `model`
    pub model: Option<Model>,
    /// `year`
    pub year: Option<i32>,
    /// `period`
    pub period: Option<svc_tax_forms::Period>,
    /// `status`
    pub status: Option<ReturnStatus>,
    /// `updatedSince`
    pub updated_since: Option<Timestamp>,
    /// `from`: due on this day or later.
    pub from: Option<Date>,
    /// `to`: due on this day or earlier.
    pub to: Option<Date>,
}

/// What a list of returns can be sorted by; creation when nothing is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaxReturnSort {
    /// `dueDate`
    DueDate,
    /// `updatedAt`
    UpdatedAt,
}

impl Resource for TaxReturn {
    const NAME: &'static str = "tax_return";
    type Id = TaxReturnId;
    type Filter = TaxReturnFilter;
    type SortKey = TaxReturnSort;

    fn id(&self) -> TaxReturnId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}

impl Record for TaxReturn {
    type Unit = DynTaxUnit;
    const CHANGED: Option<&'static EventDeclaration> = Some(event("tax_return.update"));

    fn store(unit: &Self::Unit) -> &dyn ResourceStore<Self> {
        unit.tax_returns()
    }

    fn stamped(self, version: Version, at: Timestamp) -> Self {
        Self { version, updated_at: at, ..self }
    }
}

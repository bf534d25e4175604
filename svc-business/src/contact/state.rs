//! What a contact is.

use std::collections::BTreeSet;

use svc_core::clock::Timestamp;
use svc_core::event::EventDeclaration;
use svc_core::id::{AccountId, ContactId};
use svc_core::money::Currency;
use svc_core::pii::Pii;
use svc_core::resource::{Resource, ResourceStore, Version};
use time::Date;

use crate::catalogue::event;
use crate::party::{
    Address, Bic, BirthDate, Email, Extension, Iban, LanguageTag, Phone, TaxId, TaxIdKind, value,
};
use crate::ports::DynContactUnit;
use crate::record::Record;

/// A person or organisation that a company deals with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact {
    /// Its id.
    pub id: ContactId,
    /// The company whose contact it is.
    pub company: AccountId,
    /// Who it is.
    pub identity: Identity,
    /// Name that it trades under.
    pub trade_name: Option<String>,
    /// What it is to the company.
    pub roles: BTreeSet<ContactRole>,
    /// What kind of tax id it has.
    pub tax_id_kind: TaxIdKind,
    /// Its tax id, in normal form.
    pub tax_id: Option<Pii<TaxId>>,
    /// Whether another active contact may have the same tax id (`allowDuplicate`). Of the others, a company has
    /// one active contact for each tax id at most.
    pub shares_tax_id: bool,
    /// E-mail address.
    pub email: Option<Email>,
    /// Landline.
    pub phone: Option<Pii<Phone>>,
    /// Mobile phone.
    pub mobile: Option<Pii<Phone>>,
    /// Postal address.
    pub address: Option<Pii<Address>>,
    /// Where goods go.
    pub shipping_address: Option<Pii<Address>>,
    /// Bank account.
    pub iban: Option<Pii<Iban>>,
    /// Its bank.
    pub bic: Option<Bic>,
    /// The organisation of a person.
    pub parent: Option<ContactId>,
    /// Language of its documents.
    pub language: LanguageTag,
    /// Currency of its documents.
    pub currency: Currency,
    /// Days until an invoice is due, 0 to 365.
    pub payment_term_days: u16,
    /// How it pays or is paid.
    pub payment_method: PaymentMethod,
    /// Tax code proposed on sales.
    pub default_tax_code: Option<String>,
    /// Withholding proposed on sales, percent as canonical text: `"15"`.
    pub withholding_rate: Option<String>,
    /// Whether sales carry the equivalence surcharge.
    pub equivalence_surcharge: bool,
    /// Ledger account of what it owes, given by the books.
    pub receivable_account_code: Option<String>,
    /// Ledger account of what it is owed, given by the books.
    pub payable_account_code: Option<String>,
    /// Free labels, in the order given.
    pub tags: Vec<String>,
    /// Free text.
    pub notes: Option<String>,
    /// Consent to marketing.
    pub consent: Option<Consent>,
    /// Where it is in its life.
    pub status: ContactStatus,
    /// An integrator's own data.
    pub extension: Extension,
    /// Counts its changes.
    pub version: Version,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Who a contact is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// A natural person.
    Person {
        /// Given name.
        given_name: String,
        /// Family name.
        family_name: String,
        /// Date of birth, in the past.
        date_of_birth: Option<Pii<BirthDate>>,
    },
    /// Anything else.
    Organization {
        /// Registered name.
        legal_name: String,
    },
}

/// Whether a contact is a person or an organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `person`
    Person,
    /// `organization`
    Organization,
}

/// What a contact is to the company.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContactRole {
    /// `customer`
    Customer,
    /// `supplier`: set and cleared by the supplier record.
    Supplier,
    /// `worker`
    Worker,
    /// `lead`
    Lead,
    /// `other`
    Other,
}

/// How a contact pays or is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaymentMethod {
    /// `transfer`
    Transfer,
    /// `direct_debit`
    DirectDebit,
    /// `card`
    Card,
    /// `cash`
    Cash,
    /// `bill`
    Bill,
    /// `other`
    Other,
}

/// Consent to marketing, as the data protection law asks to record it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consent {
    /// Whether it was given.
    pub marketing: bool,
    /// When.
    pub at: Timestamp,
    /// Where: a form, a call. At most 200 characters.
    pub source: Option<String>,
}

/// Where a contact is in its life. A deleted one is no longer stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactStatus {
    /// In use.
    Active,
    /// Out of use, kept for what refers to it.
    Archived,
    /// Absorbed by another contact: a tombstone.
    Merged {
        /// The final survivor.
        into: ContactId,
    },
}

svc_core::wire_names!(Kind { Person = "person", Organization = "organization" });
svc_core::wire_names!(ContactRole {
    Customer = "customer",
    Supplier = "supplier",
    Worker = "worker",
    Lead = "lead",
    Other = "other",
});
svc_core::wire_names!(PaymentMethod {
    Transfer = "transfer",
    DirectDebit = "direct_debit",
    Card = "card",
    Cash = "cash",
    Bill = "bill",
    Other = "other",
});
svc_core::state_names!(ContactStatus { Active = "active", Archived = "archived", Merged { .. } = "merged" });
svc_core::wire_names!(StatusFilter { Active = "active", Archived = "archived", Merged = "merged", All = "all" });

impl Contact {
    /// Whether it is a person or an organisation.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self.identity {
            Identity::Person { .. } => Kind::Person,
            Identity::Organization { .. } => Kind::Organization,
        }
    }

    /// Whether there is a tax id that passes the rules of its kind.
    #[must_use]
    pub fn tax_id_valid(&self) -> bool {
        self.tax_id.as_ref().is_some_and(|id| TaxId::parse(value(id).as_str(), self.tax_id_kind).is_ok())
    }

    /// The name to show: the legal name, else given and family name.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.identity {
            Identity::Person { given_name, family_name, .. } => {
                format!("{given_name} {family_name}").trim().to_owned()
            }
            Identity::Organization { legal_name } => legal_name.clone(),
        }
    }
}

/// Which statuses a list shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StatusFilter {
    /// Active ones: the default.
    #[default]
    Active,
    /// Archived ones.
    Archived,
    /// Tombstones.
    Merged,
    /// All of them: for incremental sync.
    All,
}

/// What a list of contacts can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContactFilter {
    /// `companyId`: a subset of the scope; every company within it when empty.
    pub companies: Vec<AccountId>,
    /// `role`
    pub role: Option<ContactRole>,
    /// `kind`
    pub kind: Option<Kind>,
    /// `status`
    pub status: StatusFilter,
    /// `tag`
    pub tag: Option<String>,
    /// `q`: in the name, the trade name or the e-mail address, without regard to case.
    pub text: Option<String>,
    /// `taxId`, in normal form.
    pub tax_id: Option<Pii<TaxId>>,
    /// `parentContactId`
    pub parent: Option<ContactId>,
    /// Only what was merged into this contact.
    pub merged_into: Option<ContactId>,
    /// `externalId`
    pub external_id: Option<String>,
    /// `updatedSince`
    pub updated_since: Option<Timestamp>,
    /// `from`: created on this date (UTC) or later.
    pub from: Option<Date>,
    /// `to`: created on this date (UTC) or earlier.
    pub to: Option<Date>,
}

/// What a list of contacts can be sorted by; creation when nothing is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactSort {
    /// `name`
    Name,
    /// `createdAt`
    CreatedAt,
    /// `updatedAt`
    UpdatedAt,
}

impl Resource for Contact {
    const NAME: &'static str = "contact";
    type Id = ContactId;
    type Filter = ContactFilter;
    type SortKey = ContactSort;

    fn id(&self) -> ContactId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}

impl Record for Contact {
    type Unit = DynContactUnit;
    const CREATED: Option<&'static EventDeclaration> = Some(event("contact.create"));
    const CHANGED: Option<&'static EventDeclaration> = Some(event("contact.update"));

    fn store(unit: &Self::Unit) -> &dyn ResourceStore<Self> {
        unit.contacts()
    }

    fn stamped(self, version: Version, at: Timestamp) -> Self {
        Self { version, updated_at: at, ..self }
    }

    fn merged_into(&self) -> Option<ContactId> {
        match self.status {
            ContactStatus::Active | ContactStatus::Archived => None,
            ContactStatus::Merged { into } => Some(into),
        }
    }
}

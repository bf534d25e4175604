//! What a supplier is.

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, ContactId, SupplierId};
use svc_core::resource::Version;

use crate::books::account::AccountCode;
use crate::contact::{Contact, PaymentMethod};
use crate::invoicing::Ids;
use crate::party::Extension;
use crate::trade::Rate;

/// A contact that a company buys from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supplier {
    /// Its id.
    pub id: SupplierId,
    /// The company that buys.
    pub company: AccountId,
    /// The contact; a contact is one supplier at most.
    pub contact: ContactId,
    /// The company's own number for it, unique per company, at most 50 characters.
    pub code: Option<String>,
    /// Decides the account of what is owed.
    pub supplier_type: SupplierType,
    /// In how many days it is paid, 0 to 365; those of the contact when there are none.
    pub payment_term_days: Option<u16>,
    /// How it is paid; as the contact is when it does not say.
    pub payment_method: Option<PaymentMethod>,
    /// The account of lines that name none: of group 6 or 2. One by the item of the line when there is none.
    pub expense_account: Option<AccountCode>,
    /// The tax of lines that name none; one by the regime when there is none.
    pub tax_code: Option<String>,
    /// What is withheld of lines that do not say, up to 47 %; zero for nothing.
    pub withholding_rate: Rate,
    /// For what tax is withheld, which decides its return.
    pub withholding_key: WithholdingKey,
    /// How its supplies are taxed.
    pub vat_regime: VatRegime,
    /// Whether it is in use.
    pub status: SupplierStatus,
    /// An integrator's own data.
    pub extension: Extension,
    /// Counts its changes.
    pub version: Version,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// What a supplier supplies: decides the account of what is owed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SupplierType {
    /// Goods that the company trades in or makes something of, on account 400: `trade`
    #[default]
    Trade,
    /// Anything else, on account 410: `creditor`
    Creditor,
}

svc_core::wire_names!(SupplierType { Trade = "trade", Creditor = "creditor" });

/// For what tax is withheld from a supplier (RD 439/2007 art. 75): decides the return that declares it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WithholdingKey {
    /// Work of professionals and the like: `professional`
    #[default]
    Professional,
    /// Rent of premises: `rent`
    Rent,
    /// Anything else: `other`
    Other,
}

svc_core::wire_names!(WithholdingKey { Professional = "professional", Rent = "rent", Other = "other" });

/// How the supplies of a supplier are taxed: decides the tax of lines that name none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VatRegime {
    /// It charges VAT: `domestic`
    #[default]
    Domestic,
    /// It supplies from another member state, and the company owes the tax: `intra_community`
    IntraCommunity,
    /// It supplies within Spain, and the company owes the tax: `reverse_charge_domestic`
    ReverseChargeDomestic,
    /// It supplies from outside the Union, and customs charge the tax: `import`
    Import,
    /// It charges none: `exempt`
    Exempt,
}

svc_core::wire_names!(VatRegime {
    Domestic = "domestic",
    IntraCommunity = "intra_community",
    ReverseChargeDomestic = "reverse_charge_domestic",
    Import = "import",
    Exempt = "exempt",
});

/// Whether a supplier is in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SupplierStatus {
    /// `active`
    #[default]
    Active,
    /// Out of use, kept for what refers to it: `archived`
    Archived,
}

svc_core::wire_names!(SupplierStatus { Active = "active", Archived = "archived" });

impl VatRegime {
    /// The code of the tax that its supplies have unless something else is said.
    #[must_use]
    pub const fn tax_code(self) -> &'static str {
        match self {
            Self::Domestic => "es_in_21",
            Self::IntraCommunity => "es_in_intra_21",
            Self::ReverseChargeDomestic => "es_in_reverse_21",
            // Customs charge it, by a document of their own.
            Self::Import | Self::Exempt => "es_in_exempt",
        }
    }
}

impl Supplier {
    /// A supplier as it is before the input of its creation.
    #[must_use]
    pub fn blank(company: AccountId, contact: ContactId, ids: &Ids<'_>) -> Self {
        Self {
            id: ids.make(),
            company,
            contact,
            code: None,
            supplier_type: SupplierType::default(),
            payment_term_days: None,
            payment_method: None,
            expense_account: None,
            tax_code: None,
            withholding_rate: Rate::ZERO,
            withholding_key: WithholdingKey::default(),
            vat_regime: VatRegime::default(),
            status: SupplierStatus::Active,
            extension: Extension::default(),
            version: Version::FIRST,
            created_at: ids.now,
            updated_at: ids.now,
        }
    }

    /// The code of the tax of lines that name none.
    #[must_use]
    pub fn default_tax_code(&self) -> &str {
        self.tax_code.as_deref().unwrap_or(self.vat_regime.tax_code())
    }

    /// In how many days it is paid.
    #[must_use]
    pub fn term_days(&self, contact: &Contact) -> u16 {
        self.payment_term_days.unwrap_or(contact.payment_term_days)
    }

    /// How it is paid.
    #[must_use]
    pub fn method(&self, contact: &Contact) -> PaymentMethod {
        self.payment_method.unwrap_or(contact.payment_method)
    }
}

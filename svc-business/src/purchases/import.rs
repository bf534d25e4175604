//! What an electronic invoice is read into, and the document that it becomes.
//!
//! The formats (UBL, CII, Factur-X, Facturae) are read by another crate. What it reads is mapped onto [`ImportedInvoice`]
//! where both crates meet, and [`ImportedInvoice::document`] makes a received document of that. Amounts are signed: what
//! takes something back has negative ones, whatever its format makes of that.
//!
//! A document of the service is computed from its lines, and an invoice states its figures. So the lines are taken over
//! as they are where they come to the stated amount, and as one piece of that amount where they do not (discounts and
//! charges given as amounts, prices of more than one unit, more decimals than six). Discounts and charges on the whole
//! become lines of their own, so that each tax keeps its base. A stated quota that rounding explains is taken over as a
//! tax adjustment. What is left of a difference is a [`Warning`]: the document is received all the same, for people to
//! judge.

mod document;
mod lines;
mod seller;
mod taxes;

use rust_decimal::Decimal;
use svc_core::money::{Amount, Currency};
use time::Date;

pub use self::document::{Imported, NoSupplier, Warning};
use crate::contact::PaymentMethod;
use crate::trade::{Rate, TaxCategory};

/// An electronic invoice that a company received, as far as the service takes it over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedInvoice {
    /// What it is.
    pub kind: ImportedKind,
    /// The supplier's number.
    pub number: String,
    /// The day of issue.
    pub issue_date: Option<Date>,
    /// When what is sold was done or delivered, if it says so.
    pub operation_date: Option<Date>,
    /// By when it is to be paid.
    pub due_date: Option<Date>,
    /// The currency of all amounts.
    pub currency: Currency,
    /// The supplier.
    pub seller: ImportedSeller,
    /// Whether prices, line amounts, discounts and charges include the tax.
    pub prices_include_tax: bool,
    /// What is sold.
    pub lines: Vec<ImportedLine>,
    /// What is taken off the whole, a part for each tax: above zero.
    pub discounts: Vec<ImportedAdjustment>,
    /// What is put on top of the whole, a part for each tax: above zero.
    pub charges: Vec<ImportedAdjustment>,
    /// The stated taxes.
    pub taxes: Vec<ImportedTax>,
    /// The stated total with tax, before what is withheld.
    pub total: Amount,
    /// The stated amount that is payable in all, without what is withheld.
    pub payable: Amount,
    /// How it is to be paid.
    pub payment_method: Option<PaymentMethod>,
    /// Where it is to be paid to.
    pub iban: Option<String>,
    /// Free texts.
    pub notes: Vec<String>,
}

/// What an invoice is. One that changes what others state says by its total whether it adds or takes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportedKind {
    /// A full invoice, or one that changes what others state.
    Invoice,
    /// A full invoice whose amounts take the place of those of others: they must not both be counted.
    Replacing {
        /// The numbers of the others, as far as it names them.
        numbers: Vec<String>,
    },
    /// A simplified one.
    Simplified,
}

/// The supplier as an invoice names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportedSeller {
    /// Its registered name, or first name and surnames.
    pub name: String,
    /// The name that it trades under.
    pub trade_name: Option<String>,
    /// Whether it is a natural person.
    pub is_person: bool,
    /// Its VAT number with the prefix of its country, or else another number.
    pub tax_id: Option<String>,
    /// Street and number.
    pub line1: Option<String>,
    /// More of that.
    pub line2: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// City.
    pub city: Option<String>,
    /// Province or region.
    pub province: Option<String>,
    /// ISO 3166-1 alpha-2, if it says so.
    pub country: Option<String>,
    /// Its e-mail address.
    pub email: Option<String>,
    /// Its phone.
    pub phone: Option<String>,
}

/// A line of an invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedLine {
    /// What it is.
    pub description: String,
    /// How much.
    pub quantity: Decimal,
    /// The unit by UN/ECE recommendation 20.
    pub unit: String,
    /// The price of one.
    pub unit_price: Decimal,
    /// The discount as a percentage, where it is given as one.
    pub discount_percent: Option<Decimal>,
    /// What it comes to.
    pub net: Amount,
    /// What it is taxed with.
    pub tax: ImportedRate,
    /// Percent that is withheld of it, or zero.
    pub withholding_rate: Decimal,
}

/// What is taken off or put on top of a whole invoice, as far as it concerns one tax.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedAdjustment {
    /// What it is for; may be empty.
    pub reason: String,
    /// How much.
    pub amount: Amount,
    /// The tax whose base it changes.
    pub tax: ImportedRate,
}

/// A tax as an invoice names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportedRate {
    /// Its kind.
    pub category: TaxCategory,
    /// Percent that is charged; zero where the buyer owes the tax itself.
    pub rate: Rate,
}

/// The stated figures of one tax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportedTax {
    /// The tax.
    pub tax: ImportedRate,
    /// What it is computed on.
    pub base: Amount,
    /// What is charged.
    pub quota: Amount,
}

//! Tax codes: what a line is taxed with, as data with dates (specification, domain part 19.3).
//!
//! A law changes a rate from one day on, so a code has a row for each time in which its figures were the same, and
//! is found [by code and date](TaxCode::find). The rows are in [one table](TaxCode::all), each with its source.

mod table;

use std::cmp::Reverse;

use svc_core::wire_names;
use time::Date;

use crate::trade::Rate;

/// A tax as it holds from one date to another.
///
/// Its order is the one in which a document lists its taxes: by category, then the highest rate first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaxCode {
    /// The name on lines: `es_vat_21`.
    pub code: &'static str,
    /// Its kind, for electronic invoices.
    pub category: TaxCategory,
    /// Percent of the tax base.
    pub rate: Rate,
    /// Percent on top for customers under the equivalence surcharge (Ley 37/1992 art. 161), else zero.
    pub surcharge: Rate,
    /// Which documents use it.
    pub side: Side,
    /// The customer owes the tax itself (Ley 37/1992 art. 84.uno.2.º and 85): the document does not charge it.
    pub self_assessed: bool,
    /// Whether it is of investment goods alone (Ley 37/1992 art. 108).
    pub investment: bool,
    /// The reasons of which one is to be named beside the tax; empty where there is none to name.
    pub exemptions: &'static [ExemptionCode],
    /// The first day.
    pub from: Date,
    /// The last day; `None` while no end is known.
    pub until: Option<Date>,
    /// The law that it is from.
    pub source: &'static str,
}

/// The kind of a tax: the categories of EN 16931, BT-151 (code list UNCL 5305).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaxCategory {
    /// Taxed at a rate above zero.
    Standard,
    /// Taxed at a rate of zero.
    Zero,
    /// Exempt.
    Exempt,
    /// Outside the scope of the tax.
    NotSubject,
    /// Reverse charge.
    ReverseCharge,
    /// Supply within the European Union.
    IntraCommunity,
    /// Export.
    Export,
    /// IGIC of the Canary Islands.
    Igic,
    /// IPSI of Ceuta and Melilla.
    Ipsi,
}

wire_names!(TaxCategory {
    Standard = "S",
    Zero = "Z",
    Exempt = "E",
    NotSubject = "O",
    ReverseCharge = "AE",
    IntraCommunity = "K",
    Export = "G",
    Igic = "L",
    Ipsi = "M",
});

/// Which documents a tax code is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Those that a company issues.
    Sales,
    /// Those that it receives.
    Purchases,
    /// All.
    Both,
}

wire_names!(Side { Sales = "sales", Purchases = "purchases", Both = "both" });

/// Why no tax is charged: the codes of invoice records in Spain (Orden HAC/1177/2024, lists L9 and L10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExemptionCode {
    /// Exempt by art. 20 of Ley 37/1992: health, education, insurance, finance, housing.
    E1,
    /// Exempt by art. 21: exports.
    E2,
    /// Exempt by art. 22: what is treated as an export.
    E3,
    /// Exempt by art. 23 and 24: free zones and customs procedures.
    E4,
    /// Exempt by art. 25: supplies within the European Union.
    E5,
    /// Exempt for another reason.
    E6,
    /// Not subject by art. 7, 14 or others.
    N1,
    /// Not subject by the rules of the place of supply.
    N2,
}

wire_names!(ExemptionCode {
    E1 = "E1",
    E2 = "E2",
    E3 = "E3",
    E4 = "E4",
    E5 = "E5",
    E6 = "E6",
    N1 = "N1",
    N2 = "N2",
});

impl TaxCode {
    /// Every row.
    #[must_use]
    pub fn all() -> &'static [Self] {
        table::ROWS
    }

    /// The tax of this name as it is on that day; `None` when there is none.
    ///
    /// The day is the one on which the tax falls due: of the operation, or else of the issue.
    #[must_use]
    pub fn find(code: &str, on: Date) -> Option<&'static Self> {
        Self::all().iter().find(|row| row.code == code && row.holds(on))
    }

    /// Whether it holds on that day.
    #[must_use]
    pub fn holds(&self, on: Date) -> bool {
        self.from <= on && self.until.is_none_or(|last| on <= last)
    }

    /// The rate that a document charges: none when the customer owes the tax itself.
    #[must_use]
    pub fn charged_rate(&self) -> Rate {
        if self.self_assessed { Rate::ZERO } else { self.rate }
    }

    /// What decides its order; the last two tell the rows of a code apart.
    fn order(&self) -> impl Ord {
        (self.category, Reverse(self.rate), Reverse(self.surcharge), self.code, self.from)
    }
}

impl Ord for TaxCode {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.order().cmp(&other.order())
    }
}

impl PartialOrd for TaxCode {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

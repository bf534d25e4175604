//! Charts of accounts that books can start from.
//!
//! A chart is data: `es_pgc_pymes.csv` holds the *cuadro de cuentas* of the Plan General de Contabilidad for small
//! and medium companies (Real Decreto 1515/2007, fourth part), headings and accounts, named as the decree names them.
//! The decree's seven subaccounts of five digits (7620x, 7621x, 7954x) are left to the company, so every account has
//! three or four digits of its own and the books pad it with zeros.
//!
//! The plan of large companies (`es_pgc`, Real Decreto 1514/2007) is not shipped: it needs its groups 8 and 9 and
//! the closing that goes with them. Until both are there, no chart pretends to be it.

mod row;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

pub use self::row::ChartAccount;
use crate::books::account::{AccountCode, CodeLength};

/// The chart that books start from; a company adds, renames and archives its own accounts afterwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Chart {
    /// Small and medium companies in Spain: `es_pgc_pymes`
    #[default]
    EsPgcPymes,
    /// No accounts: `empty`
    Empty,
}

svc_core::wire_names!(Chart { EsPgcPymes = "es_pgc_pymes", Empty = "empty" });

impl Chart {
    /// The headings and accounts in the order of their codes, accounts padded to the length of the books' codes.
    #[must_use]
    pub fn accounts(self, length: CodeLength) -> Vec<ChartAccount> {
        self.rows().iter().map(|row| row.clone().padded(length)).collect()
    }

    /// The account or heading with this code in books with codes of this length.
    #[must_use]
    pub fn find(self, code: AccountCode, length: CodeLength) -> Option<ChartAccount> {
        self.rows().iter().map(|row| row.clone().padded(length)).find(|account| account.code == code)
    }

    fn rows(self) -> &'static [ChartAccount] {
        match self {
            Self::EsPgcPymes => &ES_PGC_PYMES,
            Self::Empty => &[],
        }
    }
}

static ES_PGC_PYMES: LazyLock<Vec<ChartAccount>> = LazyLock::new(|| {
    row::read(include_str!("chart/es_pgc_pymes.csv")).expect("a shipped chart is well formed")
});

//! Cross Industry Invoice of UN/CEFACT (D16B), as EN 16931 binds it (CEN/TS 16931-3-3): what Factur-X and `ZUGFeRD` carry.

mod figures;
mod header;

use svc_core::money::Currency;

use crate::assembly::{beyond, is_credit, kind, settle, split_surcharges, take_notes, turn_signs};
use crate::error::{ReadError, Reading};
use crate::model::Invoice;
use crate::xml::{Gaps, Node, Place, parse};

/// Reads a Cross Industry Invoice: Factur-X 1, `ZUGFeRD` 2 and `XRechnung` in this form.
///
/// The profiles MINIMUM and BASIC WL have no lines; [`Reading::missing`] tells. A credit note comes with negative
/// amounts.
///
/// # Errors
/// [`ReadError`]: no XML or too much of it, another root, or an element whose text is no value. What is not there is
/// no error; [`Reading::missing`] tells.
pub fn read(bytes: &[u8]) -> Result<Reading, ReadError> {
    from_tree(&parse(bytes)?)
}

/// Whether this is the root of a Cross Industry Invoice.
pub(crate) fn is_root(name: &str) -> bool {
    name == "CrossIndustryInvoice"
}

pub(crate) fn from_tree(root: &Node) -> Result<Reading, ReadError> {
    if !is_root(&root.name) {
        return Err(ReadError::Root { found: root.name.clone(), expected: "CrossIndustryInvoice" });
    }
    let gaps = Gaps::default();
    let invoice = document(&Place::root(root, &gaps))?;
    Ok(Reading { invoice, missing: gaps.into_missing() })
}

const TRANSACTION: &str = "SupplyChainTradeTransaction";
const AGREEMENT: &str = "SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement";
const DELIVERY: &str = "SupplyChainTradeTransaction/ApplicableHeaderTradeDelivery";
const SETTLEMENT: &str = "SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement";

fn document(root: &Place<'_>) -> Result<Invoice, ReadError> {
    let type_code = root.needed("ExchangedDocument/TypeCode", "BT-3");
    let currency = format!("{SETTLEMENT}/InvoiceCurrencyCode");
    let currency = root.currency(&currency)?.unwrap_or_else(|| {
        root.lacks(&currency, "BT-5");
        Currency::EUR
    });
    let mut invoice = Invoice::empty(kind(&type_code, header::preceding(root)?), currency);
    invoice.number = root.needed("ExchangedDocument/ID", "BT-1");
    invoice.issue_date = root.date("ExchangedDocument/IssueDateTime/DateTimeString")?;
    if invoice.issue_date.is_none() {
        root.lacks("ExchangedDocument/IssueDateTime/DateTimeString", "BT-2");
    }
    header::read(root, &mut invoice)?;
    figures::read(root, &mut invoice)?;
    split_surcharges(&mut invoice).map_err(beyond(root))?;
    if is_credit(&type_code) {
        turn_signs(&mut invoice);
    }
    let notes = root.all_in("ExchangedDocument", "IncludedNote");
    take_notes(&mut invoice, notes.iter().filter_map(|note| note.text("Content")).collect());
    settle(&mut invoice).map_err(beyond(root))?;
    Ok(invoice)
}

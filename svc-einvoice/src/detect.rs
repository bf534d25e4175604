//! Reads a document whose format is not known yet.

use crate::error::{ReadError, Reading};
use crate::xml::parse;
use crate::{facturae, ubl};

/// Reads an invoice of any format here, told by its root element.
///
/// # Errors
/// Those of the format; [`ReadError::Root`] for a root that none of them has.
pub fn read(bytes: &[u8]) -> Result<Reading, ReadError> {
    let root = parse(bytes)?;
    if ubl::is_root(&root.name) {
        ubl::from_tree(&root)
    } else if facturae::is_root(&root.name) {
        facturae::from_tree(&root)
    } else {
        Err(ReadError::Root { found: root.name, expected: "Invoice, CreditNote or Facturae" })
    }
}

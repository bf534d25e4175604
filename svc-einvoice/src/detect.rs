//! Reads a document whose format is not known yet.

use crate::error::{ReadError, Reading};
use crate::xml::parse;
use crate::{cii, facturae, ubl};

/// Reads an invoice of any format here, told by its root element; with the feature `factur-x`, also one in a PDF file.
///
/// # Errors
/// Those of the format, and of `factur_x::extract` for a PDF file; [`ReadError::Root`] for a root that none of them has.
pub fn read(bytes: &[u8]) -> Result<Reading, ReadError> {
    #[cfg(feature = "factur-x")]
    if crate::factur_x::is_pdf(bytes) {
        return of_xml(&crate::factur_x::extract(bytes)?);
    }
    of_xml(bytes)
}

fn of_xml(bytes: &[u8]) -> Result<Reading, ReadError> {
    let root = parse(bytes)?;
    if ubl::is_root(&root.name) {
        ubl::from_tree(&root)
    } else if facturae::is_root(&root.name) {
        facturae::from_tree(&root)
    } else if cii::is_root(&root.name) {
        cii::from_tree(&root)
    } else {
        Err(ReadError::Root {
            found: root.name,
            expected: "Invoice, CreditNote, CrossIndustryInvoice or Facturae",
        })
    }
}

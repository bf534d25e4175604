//! The series of a document that names none.

use super::Series;
use crate::sales::document::DocType;

/// The series that a company begins with: code and documents.
pub const STANDARD: [(&str, &[DocType]); 5] = [
    ("F", &[DocType::Invoice]),
    ("S", &[DocType::SimplifiedInvoice]),
    ("R", &[DocType::Rectifying]),
    ("P", &[DocType::Proforma]),
    ("Q", &[DocType::Quote]),
];

/// The series of a document that names none: of the active ones that number its type, the one that was made first.
#[must_use]
pub fn find_default(series: &[Series], doc_type: DocType) -> Option<&Series> {
    let fitting = series.iter().filter(|series| series.active && series.doc_types.contains(&doc_type));
    fitting.min_by_key(|series| series.id)
}

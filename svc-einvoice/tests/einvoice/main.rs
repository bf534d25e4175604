//! Documents of every kind, written, read back and held against their figures.

mod cii;
#[path = "../documents/all.rs"]
mod documents;
mod exchange;
#[cfg(all(feature = "pdf", feature = "factur-x"))]
mod factur_x;
mod facturae;
mod hostile;
#[cfg(feature = "pdf")]
mod pdf;
mod ubl;

/// One of the sixty.
fn document(name: &str) -> svc_einvoice::model::Invoice {
    let named = documents::all().into_iter().find(|named| named.name == name);
    named.expect("there is a document of this name").invoice
}

//! A document as a page to read: A4, in its language, as PDF/A-3b.
//!
//! The page has what RD 1619/2012 art. 6 and 7 demand, the QR code of VERI\*FACTU with its captions (Orden
//! HAC/1177/2024 art. 20 and 21), and no logo. A table that goes over pages carries its sum forward. The UBL form of
//! the document is in the file as an associated file, where UBL has a place for it, so that a program reads what a
//! person sees.
//!
//! Two faces of Noto Sans are in the package, and what is used of them is in each file. They have Latin, Greek and
//! Cyrillic letters; another letter is shown as `?`. Nothing in a file depends on when it is made.

mod canvas;
mod face;
mod file;
mod foot;
mod format;
mod head;
mod table;
mod texts;
mod totals;

use self::canvas::Canvas;
use self::format::Format;
use self::texts::Texts;
use crate::error::WriteError;
use crate::model::Invoice;

/// How a document is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What the document counts for.
    pub standing: Standing,
}

/// What a document counts for. A mark on each page says that it does not count, and no file is embedded then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    /// It is no document yet.
    Draft,
    /// It counts.
    #[default]
    Issued,
    /// It counts no more.
    Voided,
}

/// Renders a document of any kind, as PDF/A-3 where it has a day of issue.
///
/// # Errors
/// [`WriteError::Layout`] when the file cannot be made; [`WriteError::Amount`] when an amount cannot be counted.
pub fn render(invoice: &Invoice, options: Options) -> Result<Vec<u8>, WriteError> {
    let texts = Texts::of(invoice.language);
    let format = Format::of(invoice.language);
    let mut canvas = Canvas::new()?;
    let sheet = Sheet { invoice, texts, format };
    sheet.head(&mut canvas)?;
    sheet.lines(&mut canvas)?;
    sheet.totals(&mut canvas)?;
    sheet.foot(&mut canvas);
    sheet.page_marks(&mut canvas, options);
    file::made(&sheet, canvas, options)
}

/// A document on its way to paper.
struct Sheet<'a> {
    invoice: &'a Invoice,
    texts: &'static Texts,
    format: Format,
}

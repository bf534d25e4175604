//! Lines of fixed positions.

use svc_core::money::Amount;

use super::{Declarant, ExportError};

/// The positions of a line.
pub(super) const SIZE: usize = 500;

/// A line that is written from its first position to its last.
#[derive(Default)]
pub(super) struct Record(Vec<u8>);

impl Record {
    /// What the first line of a file of parties begins with: its model, its year and who declares.
    pub(super) fn of_declarant(model: &str, year: i32, declarant: &Declarant) -> Result<Self, ExportError> {
        let record = Self::default()
            .text(&format!("1{model}"), 4)
            .text(&year.to_string(), 4)
            .whole("the tax identifier of the declarant", &declarant.tax_id, 9)?
            .text(&declarant.name, 40)
            .text("T", 1)
            .whole("the telephone", &declarant.phone, 9)?
            .text(&declarant.contact, 40)
            .whole("the number of the declaration", &declarant.number, 13)?;
        Ok(record.blanks(2).zeros(13))
    }

    /// A text to the left, cut off where it is too long.
    pub(super) fn text(mut self, text: &str, size: usize) -> Self {
        let mut bytes: Vec<u8> = text.chars().flat_map(plain).take(size).collect();
        bytes.resize(size, b' ');
        self.0.extend(bytes);
        self
    }

    /// A text that means something else when it is cut off: an identifier.
    pub(super) fn whole(self, field: &'static str, text: &str, size: usize) -> Result<Self, ExportError> {
        if text.chars().flat_map(plain).count() > size {
            return Err(ExportError::DoesNotFit { field, size });
        }
        Ok(self.text(text, size))
    }

    pub(super) fn blanks(self, size: usize) -> Self {
        self.text("", size)
    }

    /// A number to the right, filled with zeros.
    pub(super) fn number(
        mut self,
        field: &'static str,
        number: u64,
        size: usize,
    ) -> Result<Self, ExportError> {
        let digits = format!("{number:0size$}");
        if digits.len() > size {
            return Err(ExportError::DoesNotFit { field, size });
        }
        self.0.extend(digits.bytes());
        Ok(self)
    }

    pub(super) fn zeros(mut self, size: usize) -> Self {
        self.0.resize(self.0.len().saturating_add(size), b'0');
        self
    }

    /// `N` or a blank, and cents in the other positions.
    pub(super) fn signed(
        self,
        field: &'static str,
        amount: Amount,
        size: usize,
    ) -> Result<Self, ExportError> {
        let sign = if amount.minor() < 0 { "N" } else { " " };
        self.text(sign, 1).number(field, amount.minor().unsigned_abs(), size.saturating_sub(1))
    }

    /// Cents, of an amount that the layout knows no sign for.
    pub(super) fn unsigned(
        self,
        field: &'static str,
        party: &str,
        amount: Amount,
        size: usize,
    ) -> Result<Self, ExportError> {
        let cents = u64::try_from(amount.minor());
        let cents = cents.map_err(|_| ExportError::Negative { field, party: party.to_owned() })?;
        self.number(field, cents, size)
    }

    /// The line, filled with blanks and ended.
    pub(super) fn line(mut self) -> Vec<u8> {
        self.0.resize(SIZE, b' ');
        self.0.extend(b"\r\n");
        self.0
    }
}

/// A letter as the AEAT writes it, in ISO-8859-1; none for what it does not write.
fn plain(letter: char) -> impl Iterator<Item = u8> {
    letter.to_uppercase().filter_map(|upper| match upper {
        'Á' | 'À' | 'Â' | 'Ä' | 'Ã' | 'Å' => Some(b'A'),
        'É' | 'È' | 'Ê' | 'Ë' => Some(b'E'),
        'Í' | 'Ì' | 'Î' | 'Ï' => Some(b'I'),
        'Ó' | 'Ò' | 'Ô' | 'Ö' | 'Õ' => Some(b'O'),
        'Ú' | 'Ù' | 'Û' | 'Ü' => Some(b'U'),
        'Ñ' => Some(0xD1),
        'Ç' => Some(0xC7),
        '·' => Some(b'.'),
        ' '..='~' => u8::try_from(u32::from(upper)).ok(),
        _ => None,
    })
}

//! The place of a platform signature: a signature field whose dictionary has room for CMS (ISO 32000-2, 12.8;
//! ETSI EN 319 142-1, `ETSI.CAdES.detached`).

use svc_core::clock::Timestamp;
use svc_core::hex::Hex;

use super::attach::date;
use super::stamp::{overwrite, range};
use super::update::Update;
use crate::error::SealError;
use crate::key::Sealer;
use crate::pdf::{Dictionary, File, Id, Object};
use svc_core::trail::Digest;

/// The most room that a signature may ask for, in bytes.
const MOST_ROOM: usize = 256 * 1024;

/// Where a signature goes.
pub(super) struct Gap {
    /// Where the digits of its value are: start and length.
    pub(super) digits: (usize, usize),
    /// Where the text of its ranges is.
    ranges: usize,
    room: usize,
}

/// Which field has the signature, on which page it is, and when it is made.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) field: Id,
    pub(super) page: Id,
    pub(super) at: Timestamp,
}

/// Writes the field and its empty value.
pub(super) fn place(
    update: &mut Update,
    file: &File<'_>,
    catalog: &mut Dictionary,
    place: Place,
    sealer: &dyn Sealer,
) -> Result<Gap, SealError> {
    let room = sealer.room();
    if room == 0 || room > MOST_ROOM {
        return Err(SealError::SealerRoom { room });
    }
    let Place { field, page, at } = place;
    let value = update.reserve();
    let start = update.begin(value);
    let begin = b"<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /ByteRange ";
    update.write(begin);
    update.write(ranges((0, 0), 0).as_bytes());
    update.write(b" /Contents <");
    let ranges_at = start + begin.len();
    let digits = ranges_at + ranges((0, 0), 0).len() + b" /Contents <".len();
    update.write(&vec![b'0'; room * 2]);
    // PAdES B-B has the time here, and not within the signature (EN 319 142-1, section 6.3).
    update.write(format!("> /M ({}) >>", date(at)).as_bytes());
    update.end();
    let entries = Dictionary::of([
        ("Type", Object::name("Annot")),
        ("Subtype", Object::name("Widget")),
        ("FT", Object::name("Sig")),
        ("T", Object::text(&format!("seal-{}", field.0))),
        ("V", Object::Reference(value)),
        ("Rect", Object::Array([0; 4].map(Object::Integer).to_vec())),
        // Printed, and locked (12.5.3).
        ("F", Object::Integer(132)),
        ("P", Object::Reference(page)),
    ]);
    update.put(field, &Object::Dictionary(entries));
    let mut form = match catalog.find("AcroForm") {
        Some(form) => file.dictionary(form)?,
        None => Dictionary::default(),
    };
    let mut fields = match form.find("Fields") {
        Some(fields) => file.resolve(fields)?.as_array().unwrap_or_default().to_vec(),
        None => Vec::new(),
    };
    fields.push(Object::Reference(field));
    form.set("Fields", Object::Array(fields));
    // There are signatures, and the file may only be appended to (12.7.3).
    form.set("SigFlags", Object::Integer(3));
    catalog.set("AcroForm", Object::Dictionary(form));
    Ok(Gap { digits: (digits, room * 2), ranges: ranges_at, room })
}

impl Gap {
    /// Writes which bytes the signature is over, when the length of the file is known.
    pub(super) fn write_ranges(&self, file: &mut [u8]) {
        let text = ranges(self.digits, file.len());
        overwrite(file, self.ranges, text.as_bytes());
    }

    /// Lets the platform sign, and writes what it answers.
    pub(super) fn sign(&self, file: &mut [u8], sealer: &dyn Sealer) -> Result<(), SealError> {
        let signature = sealer.sign(&signed(file, self.digits)).map_err(SealError::Sealer)?;
        if signature.is_empty() || signature.len() > self.room {
            return Err(SealError::SealerRoom { room: self.room });
        }
        overwrite(file, self.digits.0, Hex(&signature).to_string().as_bytes());
        Ok(())
    }
}

/// The SHA-256 of a file without the value of its signature, brackets and all.
pub(crate) fn signed(file: &[u8], digits: (usize, usize)) -> Digest {
    let gap = range(digits);
    let before = file.get(..gap.start.saturating_sub(1)).unwrap_or_default();
    let after = file.get(gap.end.saturating_add(1)..).unwrap_or_default();
    Digest::of_parts([before, after])
}

/// Two ranges: before the value with its brackets, and after it.
fn ranges(digits: (usize, usize), length: usize) -> String {
    let gap = range(digits);
    let (before, after) = (gap.start.saturating_sub(1), gap.end.saturating_add(1));
    format!("[ {:010} {before:010} {after:010} {:010} ]", 0, length.saturating_sub(after))
}

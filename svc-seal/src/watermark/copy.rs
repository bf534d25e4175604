//! A file written anew: objects of other files under new numbers, each once, as far as something refers to them.

use std::collections::{HashMap, VecDeque};
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::error::PdfRefused;
use crate::pdf::{Dictionary, File, Id, Object};

/// The most bytes of a file that is written: streams of a hostile file may lie upon each other.
const MOST_WRITTEN: usize = 64 * 1024 * 1024;
/// The most bytes that the contents of pages unpack to, together.
const MOST_UNPACKED: usize = 128 * 1024 * 1024;
/// The most objects of a file that is written.
const MOST_OBJECTS: usize = 500_000;

/// The file that is written.
pub(super) struct Copy {
    out: Vec<u8>,
    /// Where each object begins, by its number less one; 0 until it is written.
    places: Vec<usize>,
    unpacked: usize,
}

/// Objects of one file that are taken over.
pub(super) struct Taking<'c, 'f> {
    copy: &'c mut Copy,
    file: &'f File<'f>,
    known: HashMap<Id, Id>,
    waiting: VecDeque<(Id, Id)>,
}

impl Copy {
    /// A file of the version that this one has.
    pub(super) fn new(document: &[u8]) -> Self {
        let version = if document.starts_with(b"%PDF-2.") { "2.0" } else { "1.7" };
        let mut out = format!("%PDF-{version}\n%").into_bytes();
        out.extend([0xe2, 0xe3, 0xcf, 0xd3, b'\n']);
        Self { out, places: Vec::new(), unpacked: 0 }
    }

    /// A number for an object.
    pub(super) fn reserve(&mut self) -> Id {
        self.places.push(0);
        (u32::try_from(self.places.len()).unwrap_or(u32::MAX), 0)
    }

    /// Begins to take objects of a file over.
    pub(super) fn of<'c, 'f>(&'c mut self, file: &'f File<'f>) -> Taking<'c, 'f> {
        Taking { copy: self, file, known: HashMap::new(), waiting: VecDeque::new() }
    }

    pub(super) fn write(&mut self, id: Id, object: &Object) -> Result<(), PdfRefused> {
        self.begin(id);
        object.write(&mut self.out);
        self.end()
    }

    fn write_stream(&mut self, id: Id, mut entries: Dictionary, content: &[u8]) -> Result<(), PdfRefused> {
        if self.out.len().saturating_add(content.len()) > MOST_WRITTEN {
            return Err(PdfRefused::TooMuchContent);
        }
        entries.set("Length", Object::integer(content.len()));
        self.begin(id);
        entries.write(&mut self.out);
        self.out.extend(b"\nstream\n");
        self.out.extend(content);
        self.out.extend(b"\nendstream");
        self.end()
    }

    fn begin(&mut self, id: Id) {
        let at = self.out.len();
        let place = usize::try_from(id.0).ok().and_then(|number| self.places.get_mut(number.checked_sub(1)?));
        if let Some(place) = place {
            *place = at;
        }
        let _ = writeln!(self.out, "{} 0 obj", id.0);
    }

    fn end(&mut self) -> Result<(), PdfRefused> {
        self.out.extend(b"\nendobj\n");
        if self.out.len() > MOST_WRITTEN { Err(PdfRefused::TooMuchContent) } else { Ok(()) }
    }

    /// Writes the cross-references; the file is whole then.
    pub(super) fn finish(mut self, catalog: Id) -> Result<Vec<u8>, PdfRefused> {
        let (start, size) = (self.out.len(), self.places.len().saturating_add(1));
        let _ = write!(self.out, "xref\n0 {size}\n0000000000 65535 f\r\n");
        for place in &self.places {
            let _ = write!(self.out, "{place:010} 00000 n\r\n");
        }
        let trailer = Dictionary::of([("Size", Object::integer(size)), ("Root", Object::Reference(catalog))]);
        self.out.extend(b"trailer\n");
        trailer.write(&mut self.out);
        let _ = write!(self.out, "\nstartxref\n{start}\n%%EOF\n");
        if self.out.len() > MOST_WRITTEN { Err(PdfRefused::TooMuchContent) } else { Ok(self.out) }
    }
}

impl<'f> Taking<'_, 'f> {
    pub(super) fn file(&self) -> &'f File<'f> {
        self.file
    }

    pub(super) fn reserve(&mut self) -> Id {
        self.copy.reserve()
    }

    /// What refers to this object refers to that one, which the caller writes.
    pub(super) fn map(&mut self, from: Id, to: Id) {
        self.known.insert(from, to);
    }

    /// Makes the references of a dictionary those of the new file, and leaves out what has no place in it.
    pub(super) fn relink(&mut self, entries: &mut Dictionary) {
        let mut object = Object::Dictionary(std::mem::take(entries));
        self.relink_value(&mut object);
        *entries = object.into_dictionary().unwrap_or_default();
    }

    pub(super) fn relink_value(&mut self, object: &mut Object) {
        object.rewrite(&mut |value| match value {
            Object::Reference(id) => *id = self.linked(*id),
            Object::Dictionary(entries) if is_left(entries) => *value = Object::Null,
            Object::Dictionary(entries) => bare(entries),
            Object::Null
            | Object::Boolean(_)
            | Object::Integer(_)
            | Object::Real(_)
            | Object::Name(_)
            | Object::Text(_)
            | Object::Array(_) => {}
        });
    }

    fn linked(&mut self, from: Id) -> Id {
        if let Some(known) = self.known.get(&from) {
            return *known;
        }
        let to = self.copy.reserve();
        self.known.insert(from, to);
        self.waiting.push_back((from, to));
        to
    }

    /// Writes an object of the file, with further entries that are of the new one already.
    pub(super) fn put<const N: usize>(
        &mut self,
        place: Id,
        mut object: Object,
        further: [(&str, Object); N],
    ) -> Result<(), PdfRefused> {
        self.relink_value(&mut object);
        if let Object::Dictionary(entries) = &mut object {
            entries.extend(Dictionary::of(further));
        }
        self.copy.write(place, &object)
    }

    /// Writes a stream whose entries are of the new file already.
    pub(super) fn write_stream(
        &mut self,
        id: Id,
        entries: Dictionary,
        content: &[u8],
    ) -> Result<(), PdfRefused> {
        self.copy.write_stream(id, entries, content)
    }

    /// The same, packed.
    pub(super) fn write_packed(
        &mut self,
        id: Id,
        mut entries: Dictionary,
        plain: &[u8],
    ) -> Result<(), PdfRefused> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        let packed = encoder.write_all(plain).and_then(|()| encoder.finish());
        let packed = packed.map_err(|_| PdfRefused::TooMuchContent)?;
        entries.set("Filter", Object::name("FlateDecode"));
        self.copy.write_stream(id, entries, &packed)
    }

    /// Counts what was unpacked.
    pub(super) fn unpacked(&mut self, bytes: usize) -> Result<(), PdfRefused> {
        self.copy.unpacked = self.copy.unpacked.saturating_add(bytes);
        if self.copy.unpacked > MOST_UNPACKED { Err(PdfRefused::TooMuchContent) } else { Ok(()) }
    }

    /// Writes what was referred to and is not written yet, with all that it refers to.
    pub(super) fn drain(&mut self) -> Result<(), PdfRefused> {
        while let Some((from, to)) = self.waiting.pop_front() {
            if self.copy.places.len() > MOST_OBJECTS {
                return Err(PdfRefused::TooManyObjects);
            }
            let (mut object, raw) = self.file.load_raw(from)?;
            if object.as_dictionary().is_some_and(is_structure) {
                object = Object::Null;
            }
            self.relink_value(&mut object);
            match (object, raw) {
                (Object::Dictionary(entries), Some(raw)) => self.copy.write_stream(to, entries, raw)?,
                (object, _) => self.copy.write(to, &object)?,
            }
        }
        Ok(())
    }
}

/// What a file has one of, or what holds it together: a page that comes this way is in no tree.
fn is_structure(entries: &Dictionary) -> bool {
    ["Page", "Pages", "Catalog", "XRef", "ObjStm", "StructTreeRoot"].iter().any(|kind| entries.is(kind))
        || (entries.find("Kids").is_some()
            && entries.find("Count").is_some()
            && entries.find("Limits").is_none())
}

/// What has no place in a stamped file: signatures, which it would break, and notes that are files or play something.
fn is_left(entries: &Dictionary) -> bool {
    let kind = entries.find("Subtype").and_then(Object::as_name).unwrap_or_default();
    let plays: [&[u8]; 6] = [b"FileAttachment", b"RichMedia", b"Screen", b"Movie", b"Sound", b"3D"];
    entries.find("ByteRange").is_some() || plays.contains(&kind)
}

/// Leaves out what programs keep of the document for themselves, and files within it.
fn bare(entries: &mut Dictionary) {
    entries.remove("PieceInfo");
    if entries.is("Filespec") || entries.find("UF").is_some() {
        entries.remove("EF");
        entries.remove("RF");
    }
}

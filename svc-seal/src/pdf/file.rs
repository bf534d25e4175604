//! A file, and its objects when they are asked for.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use super::inflate;
use super::object::{Dictionary, Id, Object};
use super::parser::Parser;
use super::table::{MOST_OBJECTS, Place};
use super::xref::{self, Sections};
use crate::error::PdfRefused;

/// What reading the objects of one file may cost, in bytes gone over.
const BUDGET: usize = 32 * 1024 * 1024;
/// The most that object streams may unpack to, together, in bytes.
const MOST_UNPACKED: usize = 64 * 1024 * 1024;

const DANGLING: PdfRefused = PdfRefused::Damaged { what: "a reference to an object" };

/// How a file says where its objects are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Table,
    Stream,
}

/// A file whose cross-references were read.
pub(crate) struct File<'a> {
    bytes: &'a [u8],
    sections: Sections,
    /// Where the newest section begins.
    pub(crate) start: usize,
    budget: Cell<usize>,
    unpacked: Cell<usize>,
    containers: RefCell<HashMap<u32, Rc<Container>>>,
}

/// An object stream that was unpacked (7.5.7).
struct Container {
    content: Vec<u8>,
    /// Number and place of each object.
    index: Vec<(usize, usize)>,
}

impl<'a> File<'a> {
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, PdfRefused> {
        let tail = bytes.len().saturating_sub(2048);
        let end = bytes.get(tail..).unwrap_or_default();
        let at = memchr::memmem::rfind(end, b"startxref");
        let at = at.ok_or(PdfRefused::Damaged { what: "the end of the file" })?;
        let start = Parser::new(bytes, tail + at + b"startxref".len()).natural();
        let start = start.ok_or(PdfRefused::Damaged { what: "the end of the file" })?;
        let sections = xref::read(bytes, start)?;
        let (budget, unpacked) = (Cell::new(BUDGET), Cell::new(MOST_UNPACKED));
        Ok(Self { bytes, sections, start, budget, unpacked, containers: RefCell::default() })
    }

    pub(crate) fn trailer(&self) -> &Dictionary {
        &self.sections.trailer
    }

    pub(crate) fn kind(&self) -> Kind {
        if self.sections.is_stream { Kind::Stream } else { Kind::Table }
    }

    /// One more than the highest number of an object.
    pub(crate) fn size(&self) -> u32 {
        let stated = self.trailer().find("Size").and_then(Object::as_size);
        let stated = stated.and_then(|size| u32::try_from(size).ok()).filter(|&size| size <= 8_388_608);
        self.sections.table.size.max(stated.unwrap_or_default()).max(1)
    }

    /// What a value stands for: itself, or the object that it refers to.
    pub(crate) fn resolve(&self, object: &Object) -> Result<Object, PdfRefused> {
        let mut object = object.clone();
        // A reference to a reference is allowed, a chain of them is no document.
        for _ in 0..8 {
            let Object::Reference(id) = object else { return Ok(object) };
            object = self.load(id)?;
        }
        Err(DANGLING)
    }

    /// The dictionary that a value stands for.
    pub(crate) fn dictionary(&self, object: &Object) -> Result<Dictionary, PdfRefused> {
        self.resolve(object)?.into_dictionary().ok_or(DANGLING)
    }

    /// An object; of a stream, its dictionary. An object that is not in the file is null (7.3.10).
    pub(crate) fn load(&self, id: Id) -> Result<Object, PdfRefused> {
        match self.sections.table.find(id.0) {
            Place::Free => Ok(Object::Null),
            Place::At { generation, .. } if generation != id.1 => Ok(Object::Null),
            Place::At { offset, .. } => Ok(self.at(offset, id)?.0),
            Place::In { container, index } => {
                let container = self.container(container)?;
                let &(number, at) = container.index.get(index).ok_or(DANGLING)?;
                if u32::try_from(number) != Ok(id.0) {
                    return Err(DANGLING);
                }
                let mut parser = Parser::new(&container.content, at);
                let object = parser.object();
                self.spend(parser.at.saturating_sub(at))?;
                object
            }
        }
    }

    /// An object with the raw bytes of its stream, if it is one.
    pub(crate) fn load_raw(&self, id: Id) -> Result<(Object, Option<&'a [u8]>), PdfRefused> {
        let Place::At { offset, .. } = self.sections.table.find(id.0) else {
            return Ok((self.load(id)?, None));
        };
        let (object, start) = self.at(offset, id)?;
        let raw = match (start, object.as_dictionary()) {
            (Some(start), Some(entries)) => Some(self.raw(entries, start)?),
            _ => None,
        };
        Ok((object, raw))
    }

    fn at(&self, offset: usize, id: Id) -> Result<(Object, Option<usize>), PdfRefused> {
        let mut parser = Parser::new(self.bytes, offset);
        let head = parser.head().ok_or(DANGLING)?;
        if u32::try_from(head.0) != Ok(id.0) {
            return Err(DANGLING);
        }
        let object = parser.object();
        // The white space behind it was gone over as well.
        let stream = parser.stream();
        self.spend(parser.at.saturating_sub(offset))?;
        Ok((object?, stream))
    }

    fn raw(&self, entries: &Dictionary, start: usize) -> Result<&'a [u8], PdfRefused> {
        let length = entries.find("Length").ok_or(DANGLING)?;
        let length = match length.as_reference() {
            // Its length cannot be in an object stream, or finding it would need this one.
            Some(id) => match self.sections.table.find(id.0) {
                Place::At { offset, .. } => self.at(offset, id)?.0.as_size(),
                Place::Free | Place::In { .. } => None,
            },
            None => length.as_size(),
        };
        let end = start.saturating_add(length.ok_or(DANGLING)?);
        self.bytes.get(start..end).ok_or(DANGLING)
    }

    fn container(&self, number: u32) -> Result<Rc<Container>, PdfRefused> {
        if let Some(known) = self.containers.borrow().get(&number) {
            return Ok(Rc::clone(known));
        }
        let Place::At { offset, .. } = self.sections.table.find(number) else { return Err(DANGLING) };
        let (object, start) = self.at(offset, (number, 0))?;
        let entries = object.as_dictionary().filter(|entries| entries.is("ObjStm")).ok_or(DANGLING)?;
        let raw = self.raw(entries, start.ok_or(DANGLING)?)?;
        let content = inflate::content(entries, raw, self.unpacked.get())?;
        self.unpacked.set(self.unpacked.get().saturating_sub(content.len()));
        let size = |name: &str| entries.find(name).and_then(Object::as_size);
        let (count, first) = size("N").zip(size("First")).ok_or(DANGLING)?;
        if count > MOST_OBJECTS {
            return Err(PdfRefused::TooManyObjects);
        }
        let (mut parser, mut index) = (Parser::new(&content, 0), Vec::new());
        for _ in 0..count {
            let (number, at) = parser.natural().zip(parser.natural()).ok_or(DANGLING)?;
            index.push((number, first.saturating_add(at)));
        }
        let container = Rc::new(Container { content, index });
        self.containers.borrow_mut().insert(number, Rc::clone(&container));
        Ok(container)
    }

    fn spend(&self, bytes: usize) -> Result<(), PdfRefused> {
        // An object costs something even where it is short.
        let left = self.budget.get().checked_sub(bytes.saturating_add(16));
        self.budget.set(left.ok_or(PdfRefused::TooMuchContent)?);
        Ok(())
    }
}

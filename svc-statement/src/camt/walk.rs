//! XML of strangers, read from front to end.
//!
//! A document type definition is refused, so there are no entities but the five of XML itself and nothing to fetch. How
//! deep elements stand within each other is limited, and how much of a text is kept. Prefixes are dropped: no two
//! elements of the format have one local name and different meanings.
//!
//! Who reads an element takes all of it: [`Walk::next`] until it answers `None`, [`Walk::text`], or [`Walk::skip`].

use std::borrow::Cow;
use std::fmt::Write as _;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::names::known;
use crate::error::{Place, ReadError};

/// The deepest element.
const MOST_DEPTH: usize = 48;
/// How much of one text is kept, in bytes: more than any of the limits on texts.
const MOST_TEXT: usize = 4096;
/// The most attributes of an element that are looked at.
const MOST_ATTRIBUTES: usize = 32;

/// A place in a document, and the way there.
pub(super) struct Walk<'a> {
    reader: Reader<&'a [u8]>,
    path: Vec<Step>,
    /// The element that was closed last: its text is what an error is about.
    closed: Step,
    /// `Ccy` of the amount that was opened last.
    currency: Option<String>,
}

/// The element that a document begins with.
pub(super) struct Root {
    pub(super) name: String,
    pub(super) namespace: String,
}

#[derive(Clone, Copy, Default)]
struct Step {
    name: &'static str,
    /// Which of its kind, from 1; 0 when that is not counted.
    number: u32,
}

enum Piece<'a> {
    Open(&'static str),
    Close,
    Text(Cow<'a, str>),
    End,
}

impl<'a> Walk<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Self { reader, path: Vec::new(), closed: Step::default(), currency: None }
    }

    /// Enters the root element, whose namespace says what the document is.
    pub(super) fn root(&mut self) -> Result<Root, ReadError> {
        loop {
            match self.reader.read_event().map_err(|error| self.malformed(&error))? {
                Event::Start(start) => {
                    let prefix = start.name().prefix().map(|prefix| prefix.as_ref().to_owned());
                    let key = prefix.map_or_else(|| "xmlns".to_owned(), |prefix| format!("xmlns:{prefix}"));
                    let namespace = self.attribute(&start, &key)?.unwrap_or_default();
                    let name = start.local_name().as_ref().to_owned();
                    self.path.push(Step { name: known(&name), number: 0 });
                    return Ok(Root { name, namespace });
                }
                Event::DocType(_) => return Err(self.document_type()),
                Event::Eof => return Err(self.malformed(&"no root element")),
                Event::End(_)
                | Event::Empty(_)
                | Event::Text(_)
                | Event::CData(_)
                | Event::GeneralRef(_)
                | Event::Comment(_)
                | Event::Decl(_)
                | Event::PI(_) => {}
            }
        }
    }

    /// Enters the next child of the element that is open, or leaves the element when there is none.
    pub(super) fn next(&mut self) -> Result<Option<&'static str>, ReadError> {
        loop {
            match self.piece()? {
                Piece::Open(name) => return Ok(Some(name)),
                Piece::Close => return Ok(None),
                Piece::Text(_) => {}
                Piece::End if self.path.is_empty() => return Ok(None),
                Piece::End => return Err(self.cut_off()),
            }
        }
    }

    /// The text of the element that is open, which it leaves. Elements within it are passed over.
    pub(super) fn text(&mut self) -> Result<String, ReadError> {
        self.text_or("")
    }

    /// The text of the element that is open, or that of a child of a name.
    pub(super) fn text_or(&mut self, child: &str) -> Result<String, ReadError> {
        let mut kept = String::new();
        loop {
            match self.piece()? {
                Piece::Open(name) if name == child => {
                    let inner = self.text()?;
                    kept.push_str(inner.trim());
                }
                Piece::Open(_) => self.skip()?,
                Piece::Text(text) => {
                    if kept.len() < MOST_TEXT {
                        kept.push_str(text.get(..text.floor_char_boundary(MOST_TEXT)).unwrap_or_default());
                    }
                }
                Piece::Close => return Ok(kept),
                Piece::End => return Err(self.cut_off()),
            }
        }
    }

    /// Leaves the element that is open.
    pub(super) fn skip(&mut self) -> Result<(), ReadError> {
        let outside = self.path.len().saturating_sub(1);
        while self.path.len() > outside {
            if let Piece::End = self.piece()? {
                return Err(self.cut_off());
            }
        }
        Ok(())
    }

    /// The text of the first descendant of a name that stands under elements of certain names.
    pub(super) fn find(&mut self, name: &str, under: &[&str]) -> Result<Option<String>, ReadError> {
        let mut found = None;
        while let Some(child) = self.next()? {
            if child == name && found.is_none() {
                found = Some(self.text()?);
            } else if under.contains(&child) && found.is_none() {
                found = self.find(name, under)?;
            } else {
                self.skip()?;
            }
        }
        Ok(found)
    }

    /// The currency of the amount that is open.
    pub(super) fn currency(&mut self) -> Option<String> {
        self.currency.take()
    }

    /// Counts the element that is open, for [`Self::place`].
    pub(super) fn number(&mut self, number: u32) {
        if let Some(step) = self.path.last_mut() {
            step.number = number;
        }
    }

    /// The element that is open.
    pub(super) fn place(&self) -> Place {
        Place::Element(shown(self.path.iter()))
    }

    /// The element that was read last is not of its form.
    pub(super) fn wrong(&self, expected: impl Into<String>) -> ReadError {
        ReadError::malformed(self.last(), expected)
    }

    /// The element that was read last.
    pub(super) fn last(&self) -> Place {
        Place::Element(shown(self.path.iter().chain(std::iter::once(&self.closed))))
    }

    fn piece(&mut self) -> Result<Piece<'a>, ReadError> {
        loop {
            match self.reader.read_event().map_err(|error| self.malformed(&error))? {
                Event::Start(start) => return self.open(&start).map(Piece::Open),
                Event::End(_) => {
                    self.closed = self.path.pop().unwrap_or_default();
                    return Ok(Piece::Close);
                }
                Event::Text(text) => return Ok(Piece::Text(text.xml10_content())),
                Event::CData(data) => return Ok(Piece::Text(data.xml10_content())),
                Event::GeneralRef(name) => {
                    let letter = name.resolve_char_ref().map_err(|error| self.malformed(&error))?;
                    let known = match letter {
                        Some(letter) => Some(letter.to_string()),
                        None => {
                            quick_xml::escape::resolve_xml_entity(&name.xml10_content()).map(str::to_owned)
                        }
                    };
                    let known = known.ok_or_else(|| self.malformed(&"an entity that is not known"))?;
                    return Ok(Piece::Text(Cow::Owned(known)));
                }
                Event::DocType(_) => return Err(self.document_type()),
                Event::Eof => return Ok(Piece::End),
                Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
            }
        }
    }

    fn open(&mut self, start: &BytesStart<'_>) -> Result<&'static str, ReadError> {
        if self.path.len() >= MOST_DEPTH {
            return Err(self.malformed(&"more than 48 elements within each other"));
        }
        let name = known(start.local_name().as_ref());
        if name == "Amt" {
            self.currency = self.attribute(start, "Ccy")?;
        }
        self.path.push(Step { name, number: 0 });
        Ok(name)
    }

    fn attribute(&self, start: &BytesStart<'_>, key: &str) -> Result<Option<String>, ReadError> {
        for attribute in start.attributes().with_checks(false).take(MOST_ATTRIBUTES) {
            let attribute = attribute.map_err(|error| self.malformed(&error))?;
            if attribute.key.as_ref() == key {
                let value = attribute
                    .normalized_value(quick_xml::XmlVersion::Implicit1_0)
                    .map_err(|error| self.malformed(&error))?;
                return Ok(Some(value.into_owned()));
            }
        }
        Ok(None)
    }

    fn malformed(&self, reason: &dyn std::fmt::Display) -> ReadError {
        let place = Place::Byte(self.reader.error_position().max(self.reader.buffer_position()));
        ReadError::malformed(place, format!("well-formed XML: {reason}"))
    }

    fn document_type(&self) -> ReadError {
        let place = Place::Byte(self.reader.buffer_position());
        ReadError::malformed(place, "no document type definition, which no statement needs")
    }

    fn cut_off(&self) -> ReadError {
        ReadError::malformed(self.place(), "its end: the file was cut off")
    }
}

fn shown<'s>(path: impl Iterator<Item = &'s Step>) -> String {
    let mut shown = String::new();
    for step in path {
        if !shown.is_empty() {
            shown.push('/');
        }
        shown.push_str(step.name);
        if step.number > 0 {
            let _ = write!(shown, "[{}]", step.number);
        }
    }
    shown
}

//! Reads XML of strangers into a tree.
//!
//! What an attacker could do with it is limited before it is done: the size of the file, the depth and number of
//! elements. A document type definition is refused, so there are no entities but the five of XML itself and nothing
//! to fetch. Prefixes are dropped; no format here has two elements of one local name that mean different things.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::error::ReadError;

/// The largest file, in bytes: some carry attachments.
const MOST_BYTES: usize = 32 * 1024 * 1024;
/// The deepest element.
const MOST_DEPTH: usize = 48;
/// The most elements.
const MOST_ELEMENTS: usize = 400_000;
/// The most attributes of one element.
const MOST_ATTRIBUTES: usize = 32;

/// An element.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    /// The name without prefix.
    pub(crate) name: String,
    attributes: Vec<(String, String)>,
    text: String,
    children: Vec<Self>,
}

impl Node {
    /// The text of an attribute.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The text, without space around it; `None` when there is none.
    pub(crate) fn text(&self) -> Option<&str> {
        Some(self.text.trim()).filter(|text| !text.is_empty())
    }

    /// The children of a name.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> + 'a {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The first child of a name.
    pub(crate) fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }
}

/// Reads a whole document.
pub(crate) fn parse(bytes: &[u8]) -> Result<Node, ReadError> {
    if bytes.len() > MOST_BYTES {
        return Err(ReadError::Limit("32 MiB"));
    }
    let text = decoded(bytes)?;
    let mut reader = Reader::from_str(&text);
    reader.config_mut().expand_empty_elements = true;
    let mut tree = Tree::default();
    loop {
        let event = reader.read_event().map_err(|error| malformed(&reader, &error))?;
        match event {
            Event::Start(start) => tree.open(element(&reader, &start)?)?,
            Event::End(_) => tree.close(),
            Event::Text(text) => tree.text(&text.xml10_content()),
            Event::CData(data) => tree.text(&data.xml10_content()),
            Event::GeneralRef(name) => {
                let content = name.xml10_content();
                let known = if let Some(code) =
                    name.resolve_char_ref().map_err(|error| malformed(&reader, &error))?
                {
                    Some(code.to_string())
                } else {
                    quick_xml::escape::resolve_xml_entity(&content).map(str::to_owned)
                };
                tree.text(&known.ok_or_else(|| malformed(&reader, &"an entity that is not known"))?);
            }
            Event::DocType(_) => return Err(ReadError::DocumentType),
            Event::Eof => break,
            Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
        }
    }
    tree.root.ok_or_else(|| malformed(&reader, &"no root element"))
}

/// UTF-8, with or without a mark, and Latin-1, which some old programs declare.
fn decoded(bytes: &[u8]) -> Result<String, ReadError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(text.to_owned());
    }
    let declaration = bytes.split(|byte| *byte == b'>').next().unwrap_or_default().to_ascii_lowercase();
    let declares = |name: &[u8]| declaration.windows(name.len()).any(|window| window == name);
    if declares(b"iso-8859-1") || declares(b"windows-1252") {
        return Ok(bytes.iter().copied().map(char::from).collect());
    }
    Err(ReadError::Xml { position: 0, reason: "neither UTF-8 nor declared as ISO-8859-1".to_owned() })
}

fn element(reader: &Reader<&[u8]>, start: &BytesStart<'_>) -> Result<Node, ReadError> {
    let mut attributes = Vec::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| malformed(reader, &error))?;
        if attributes.len() == MOST_ATTRIBUTES {
            return Err(ReadError::Limit("32 attributes of an element"));
        }
        let value = attribute
            .normalized_value(quick_xml::XmlVersion::Implicit1_0)
            .map_err(|error| malformed(reader, &error))?;
        attributes.push((local(attribute.key.local_name().as_ref()), value.into_owned()));
    }
    Ok(Node { name: local(start.local_name().as_ref()), attributes, ..Node::default() })
}

fn local(name: &str) -> String {
    name.to_owned()
}

fn malformed(reader: &Reader<&[u8]>, reason: &dyn std::fmt::Display) -> ReadError {
    ReadError::Xml {
        position: reader.error_position().max(reader.buffer_position()),
        reason: reason.to_string(),
    }
}

/// The elements that are open, outermost first, and the root when it is closed.
#[derive(Default)]
struct Tree {
    open: Vec<Node>,
    root: Option<Node>,
    count: usize,
}

impl Tree {
    fn open(&mut self, node: Node) -> Result<(), ReadError> {
        self.count = self.count.saturating_add(1);
        if self.count > MOST_ELEMENTS {
            return Err(ReadError::Limit("400,000 elements"));
        }
        if self.open.len() == MOST_DEPTH {
            return Err(ReadError::Limit("48 elements within each other"));
        }
        self.open.push(node);
        Ok(())
    }

    /// Closes the innermost element. The reader has checked that the names agree.
    fn close(&mut self) {
        let Some(closed) = self.open.pop() else { return };
        match self.open.last_mut() {
            Some(parent) => parent.children.push(closed),
            None => self.root = self.root.take().or(Some(closed)),
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(node) = self.open.last_mut() {
            node.text.push_str(text);
        }
    }
}

//! Writes elements with indentation.

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

/// What cannot happen.
const TAKEN: &str = "a vector takes all that is written";

pub(crate) struct XmlWriter(Writer<Vec<u8>>);

impl XmlWriter {
    /// A document that begins with its declaration.
    pub(crate) fn new() -> Self {
        let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None))).expect(TAKEN);
        Self(writer)
    }

    pub(crate) fn open(&mut self, name: &str) {
        self.open_with(name, &[]);
    }

    pub(crate) fn open_with(&mut self, name: &str, attributes: &[(&str, &str)]) {
        let start = BytesStart::new(name).with_attributes(attributes.iter().copied());
        self.0.write_event(Event::Start(start)).expect(TAKEN);
    }

    pub(crate) fn close(&mut self, name: &str) {
        self.0.write_event(Event::End(BytesEnd::new(name))).expect(TAKEN);
    }

    /// An element with a text.
    pub(crate) fn leaf(&mut self, name: &str, text: &str) {
        self.leaf_with(name, &[], text);
    }

    /// An element with a text, if there is one.
    pub(crate) fn optional(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            self.leaf(name, text);
        }
    }

    pub(crate) fn leaf_with(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        self.open_with(name, attributes);
        self.0.write_event(Event::Text(BytesText::new(&allowed(text)))).expect(TAKEN);
        self.close(name);
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        let mut bytes = self.0.into_inner();
        bytes.push(b'\n');
        bytes
    }
}

/// The text without the characters that XML 1.0 has no form for (section 2.2).
fn allowed(text: &str) -> String {
    let fits =
        |c: char| !(c.is_control() && !matches!(c, '\t' | '\n') || matches!(c, '\u{fffe}' | '\u{ffff}'));
    text.chars().map(|c| if fits(c) { c } else { ' ' }).collect()
}

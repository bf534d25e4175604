//! An incremental update (ISO 32000-2, 7.5.6): objects after the end of a file, and where they are.

use std::collections::BTreeMap;
use std::io::Write as _;

use crate::pdf::{Dictionary, File, Id, Kind, Object};
use svc_core::trail::Digest;

/// An update that grows behind a file.
pub(super) struct Update {
    out: Vec<u8>,
    /// Where each object is: offset and generation.
    places: BTreeMap<u32, (usize, u16)>,
    next: u32,
}

impl Update {
    /// Begins behind this file, whose objects have numbers below `size`.
    pub(super) fn after(document: &[u8], size: u32) -> Self {
        let mut out = document.to_vec();
        if !out.ends_with(b"\n") {
            out.push(b'\n');
        }
        Self { out, places: BTreeMap::new(), next: size }
    }

    /// A number that no object has.
    pub(super) fn reserve(&mut self) -> Id {
        self.reserve_many(1)
    }

    /// The first of so many numbers in a row.
    pub(super) fn reserve_many(&mut self, count: u32) -> Id {
        let first = self.next;
        self.next = self.next.saturating_add(count);
        (first, 0)
    }

    pub(super) fn put(&mut self, id: Id, object: &Object) {
        self.begin(id);
        object.write(&mut self.out);
        self.end();
    }

    /// Writes a stream; answers where its bytes begin.
    pub(super) fn put_stream(&mut self, id: Id, mut entries: Dictionary, content: &[u8]) -> usize {
        entries.set("Length", Object::integer(content.len()));
        self.begin(id);
        entries.write(&mut self.out);
        self.write(b"\nstream\n");
        let at = self.out.len();
        self.write(content);
        self.write(b"\nendstream");
        self.end();
        at
    }

    /// Begins an object that the caller writes; answers where it goes on.
    pub(super) fn begin(&mut self, id: Id) -> usize {
        self.places.insert(id.0, (self.out.len(), id.1));
        self.write(format!("{} {} obj\n", id.0, id.1).as_bytes());
        self.out.len()
    }

    pub(super) fn write(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    pub(super) fn end(&mut self) {
        self.write(b"\nendobj\n");
    }

    /// Writes the cross-references, in the way that the file has them (7.5.8.4 lets no reader guess).
    pub(super) fn finish(
        mut self,
        file: &File<'_>,
        catalog: Id,
        information: Option<Object>,
        digest: Digest,
    ) -> Vec<u8> {
        let mut trailer = Dictionary::default();
        trailer.set("Root", Object::Reference(catalog));
        trailer.set("Prev", Object::integer(file.start));
        if let Some(information) = information {
            trailer.set("Info", information);
        }
        let second = Digest::of_parts([digest.as_bytes().as_slice(), b"sealed"]);
        let halved = |digest: &Digest| Object::Text(digest.as_bytes().iter().take(16).copied().collect());
        let first = file.trailer().find("ID").and_then(|id| file.resolve(id).ok());
        let first = first.as_ref().and_then(Object::as_array).and_then(|id| id.first().cloned());
        let first = first.filter(|first| matches!(first, Object::Text(_)));
        trailer.set("ID", Object::Array(vec![first.unwrap_or_else(|| halved(&digest)), halved(&second)]));
        let start = match file.kind() {
            Kind::Table => self.table(trailer),
            Kind::Stream => self.stream(trailer),
        };
        self.write(format!("startxref\n{start}\n%%EOF\n").as_bytes());
        self.out
    }

    /// Runs of numbers: the first, and the places from there on.
    fn runs(&self) -> Vec<(u32, Vec<(usize, u16)>)> {
        let mut runs: Vec<(u32, Vec<(usize, u16)>)> = Vec::new();
        for (&number, &place) in &self.places {
            match runs.last_mut() {
                Some((first, run)) if usize::try_from(number - *first) == Ok(run.len()) => run.push(place),
                _ => runs.push((number, vec![place])),
            }
        }
        runs
    }

    fn table(&mut self, mut trailer: Dictionary) -> usize {
        let start = self.out.len();
        // The head of the list of free objects, which some readers look for in each section.
        self.write(b"xref\n0 1\n0000000000 65535 f\r\n");
        for (first, run) in self.runs() {
            self.write(format!("{first} {}\n", run.len()).as_bytes());
            for (offset, generation) in run {
                self.write(format!("{offset:010} {generation:05} n\r\n").as_bytes());
            }
        }
        trailer.set("Size", Object::Integer(i64::from(self.next)));
        self.write(b"trailer\n");
        trailer.write(&mut self.out);
        self.write(b"\n");
        start
    }

    fn stream(&mut self, mut entries: Dictionary) -> usize {
        let (id, start) = (self.reserve(), self.out.len());
        self.places.insert(id.0, (start, 0));
        let (mut index, mut rows) = (Vec::new(), Vec::new());
        for (first, run) in self.runs() {
            index.extend([Object::Integer(i64::from(first)), Object::integer(run.len())]);
            for (offset, generation) in run {
                let offset = u32::try_from(offset).unwrap_or(u32::MAX);
                rows.push(1);
                let _ = rows.write_all(&offset.to_be_bytes());
                let _ = rows.write_all(&generation.to_be_bytes());
            }
        }
        entries.set("Type", Object::name("XRef"));
        entries.set("Size", Object::Integer(i64::from(self.next)));
        entries.set("W", Object::Array([1, 4, 2].map(Object::Integer).to_vec()));
        entries.set("Index", Object::Array(index));
        self.put_stream(id, entries, &rows);
        start
    }
}

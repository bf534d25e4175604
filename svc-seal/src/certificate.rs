//! The certificate of evidence: what is known about an envelope, as pages to read.

use crate::draw::{About, Canvas, LEFT, Style, output};
use crate::error::SealError;
use crate::evidence::{Evidence, Signer, Step};
use crate::texts::{Texts, instant};

/// How wide the labels are, in points.
const LABELS: f32 = 82.0;
const INDENT: f32 = LEFT + 12.0;

/// Renders the certificate of an envelope as PDF, in the language of the evidence: its documents with their digests
/// before and after, each signer with all steps, and the entries with their hashes.
///
/// # Errors
/// [`SealError::Chain`] when the entries do not fit, [`SealError::TooMuchEvidence`] beyond what an envelope has,
/// [`SealError::Layout`] when the pages cannot be made.
pub fn certificate(evidence: &Evidence) -> Result<Vec<u8>, SealError> {
    evidence.entries.verify()?;
    crate::seal::bounded(evidence)?;
    let texts = Texts::of(evidence.language);
    let mut sheet = Sheet { evidence, texts, canvas: Canvas::new()? };
    sheet.head();
    sheet.documents();
    sheet.section(texts.signers);
    for signer in &evidence.signers {
        sheet.signer(signer);
    }
    sheet.entries();
    let Sheet { mut canvas, .. } = sheet;
    canvas.feet(&format!("{} · {}", texts.certificate, evidence.envelope));
    let title = format!("{}: {}", texts.certificate, evidence.subject);
    let about =
        About { title: &title, author: &evidence.sender, language: texts.code, at: evidence.completed_at };
    output(canvas, &about)
}

struct Sheet<'a> {
    evidence: &'a Evidence,
    texts: &'static Texts,
    canvas: Canvas,
}

impl Sheet<'_> {
    fn head(&mut self) {
        let Self { evidence, texts, canvas } = self;
        canvas.flow(LEFT, 480.0, Style::TITLE, texts.certificate);
        canvas.y += 8.0;
        let (sent, completed) = (evidence.sent_at, evidence.completed_at);
        canvas.pair(LEFT, texts.subject, LABELS, Style::STRONG, &evidence.subject);
        canvas.pair(LEFT, texts.envelope, LABELS, Style::BODY, &evidence.envelope);
        canvas.pair(LEFT, texts.sender, LABELS, Style::BODY, &evidence.sender);
        canvas.pair(LEFT, texts.sent, LABELS, Style::BODY, &instant(sent, evidence.language));
        canvas.pair(LEFT, texts.completed, LABELS, Style::BODY, &instant(completed, evidence.language));
        canvas.y += 6.0;
        canvas.flow(LEFT, 490.0, Style::LABEL, texts.note);
    }

    fn section(&mut self, title: &str) {
        self.canvas.y += 14.0;
        self.canvas.make_room(60.0);
        self.canvas.rule();
        self.canvas.y += 8.0;
        self.canvas.flow(LEFT, 480.0, Style::HEAD, title);
        self.canvas.y += 3.0;
    }

    fn documents(&mut self) {
        let texts = self.texts;
        self.section(texts.documents);
        for document in &self.evidence.documents {
            self.canvas.y += 4.0;
            self.canvas.make_room(46.0);
            self.canvas.flow(LEFT, 490.0, Style::STRONG, &document.name);
            self.canvas.pair(INDENT, texts.pages, LABELS, Style::SMALL, &document.pages.to_string());
            self.canvas.pair(INDENT, texts.before, LABELS, Style::SMALL, &document.before.to_string());
            if let Some(after) = document.after {
                self.canvas.pair(INDENT, texts.after, LABELS, Style::SMALL, &after.to_string());
            }
        }
    }

    fn signer(&mut self, signer: &Signer) {
        let texts = self.texts;
        self.canvas.y += 6.0;
        self.canvas.make_room(60.0);
        let title = format!("{} · {}", signer.name, texts.role(signer.role));
        self.canvas.flow(LEFT, 490.0, Style::STRONG, &title);
        self.canvas.pair(INDENT, texts.email, LABELS, Style::SMALL, &signer.email);
        let identified = texts.identification(signer.identified);
        self.canvas.pair(INDENT, texts.identified, LABELS, Style::SMALL, identified);
        for step in &signer.steps {
            self.step(step);
        }
    }

    fn step(&mut self, step: &Step) {
        let (texts, inner) = (self.texts, INDENT + 12.0);
        self.canvas.y += 3.0;
        self.canvas.make_room(24.0);
        let at = instant(step.at, self.evidence.language);
        self.canvas.pair(INDENT, &at, LABELS + 30.0, Style::BODY, &texts.step(&step.kind));
        if let Some(ip) = &step.ip {
            self.canvas.pair(inner + LABELS + 18.0, texts.address, LABELS, Style::SMALL, ip);
        }
        if let Some(program) = &step.user_agent {
            self.canvas.pair(inner + LABELS + 18.0, texts.program, LABELS, Style::SMALL, program);
        }
    }

    fn entries(&mut self) {
        let texts = self.texts;
        self.section(texts.entries);
        self.canvas.flow(LEFT, 490.0, Style::LABEL, texts.chain);
        for (at, link) in self.evidence.entries.links().iter().enumerate() {
            let entry = &link.entry;
            self.canvas.y += 6.0;
            self.canvas.make_room(44.0);
            let title = format!(
                "{}. {} · {} · {}",
                at.saturating_add(1),
                entry.action,
                entry.actor,
                instant(entry.at, self.evidence.language)
            );
            self.canvas.flow(LEFT, 490.0, Style::SMALL, &title);
            let rest = [
                (texts.address, entry.ip.as_ref()),
                (texts.program, entry.user_agent.as_ref()),
                (texts.details, entry.details.as_ref()),
            ];
            for (label, value) in rest {
                if let Some(value) = value {
                    self.canvas.pair(INDENT, label, LABELS, Style::SMALL, value);
                }
            }
            self.canvas.pair(INDENT, texts.previous, LABELS, Style::SMALL, &link.previous_hash.to_string());
            self.canvas.pair(INDENT, texts.hash, LABELS, Style::SMALL, &link.hash.to_string());
        }
    }
}

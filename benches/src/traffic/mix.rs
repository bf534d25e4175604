//! What a client sends.

/// What the requests of a publisher ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// Each creates a contact of two members, `kind` and `legalName`.
    Bare,
    /// Each creates a contact as customers send it, with a tax id, an external id, two tags, e-mail, phone and address.
    Real,
    /// Of twenty, sixteen create such a contact, three change a member or the tags of one, and one merges two.
    Mixed,
}

impl Mix {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Bare, Self::Real, Self::Mixed];

    /// The types of the events that they cause.
    pub const EVENTS: &[&str] = &["contact.create", "contact.update", "contact.merge"];

    /// The word for it in figures.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bare => "bare",
            Self::Real => "real",
            Self::Mixed => "mixed",
        }
    }
}

/// A contact that a client has made, and its version by now.
#[derive(Debug)]
struct Made {
    id: String,
    version: u32,
}

/// What one client has made of one company, and what it sends next.
#[derive(Debug)]
pub(super) struct Customer {
    mix: Mix,
    made: Vec<Made>,
}

/// A request of a client.
pub(super) struct Ask {
    /// Method and path.
    pub(super) line: String,
    pub(super) body: String,
    /// The version that the client insists on.
    pub(super) version: Option<u32>,
    /// The status of its answer.
    pub(super) status: u16,
}

impl Customer {
    pub(super) fn new(mix: Mix) -> Self {
        Self { mix, made: Vec::new() }
    }

    /// The next request. No two of a run have the same number.
    pub(super) fn next(&mut self, number: u32) -> Ask {
        match (self.mix, number % 20) {
            (Mix::Bare, _) => Self::create(bare(number)),
            (Mix::Mixed, 7 | 12 | 17) => self.change(number),
            (Mix::Mixed, 19) => self.merge(number),
            (Mix::Real | Mix::Mixed, _) => Self::create(real(number)),
        }
    }

    /// Keeps in mind the contact that the latest request made or changed.
    pub(super) fn answered(&mut self, id: &str) {
        match self.made.iter_mut().find(|made| made.id == id) {
            Some(made) => made.version += 1,
            None if self.mix == Mix::Mixed => self.made.push(Made { id: id.to_owned(), version: 1 }),
            None => {}
        }
        // A customer works on what it made lately.
        if self.made.len() > MOST {
            self.made.remove(0);
        }
    }

    fn create(body: String) -> Ask {
        Ask { line: "POST /api/v1/contacts".to_owned(), body, version: None, status: 201 }
    }

    /// Changes a member or the tags of the latest contact; creates one when there is none.
    fn change(&self, number: u32) -> Ask {
        let Some(Made { id, version }) = self.made.last() else { return Self::create(real(number)) };
        let body = if number.is_multiple_of(2) {
            format!(r#"{{"phone":"+349{number:08}"}}"#)
        } else {
            format!(r#"{{"tags":["customer","route {number}"]}}"#)
        };
        Ask { line: format!("PATCH /api/v1/contacts/{id}"), body, version: Some(*version), status: 200 }
    }

    /// Merges the two latest contacts; creates one when there are not two.
    fn merge(&mut self, number: u32) -> Ask {
        let (Some(absorbed), Some(kept)) = (self.made.pop(), self.made.last()) else {
            return Self::create(real(number));
        };
        let line = format!("POST /api/v1/contacts/{}/merge", kept.id);
        // Their tax ids differ.
        let body = format!(r#"{{"mergedId":"{}","force":true}}"#, absorbed.id);
        Ask { line, body, version: Some(kept.version), status: 200 }
    }
}

/// A client keeps so many contacts in mind.
const MOST: usize = 16;

/// A contact of two members.
pub(crate) fn bare(number: u32) -> String {
    format!(r#"{{"kind":"organization","legalName":"Luna {number} SA"}}"#)
}

/// A contact as customers send it.
pub(crate) fn real(number: u32) -> String {
    let (tax_id, route) = (dni(number), number % 40);
    let address =
        format!(r#"{{"line1":"Calle Mayor {number}","postalCode":"28013","city":"Madrid","country":"ES"}}"#);
    let names = format!(r#""kind":"person","givenName":"Ana","familyName":"Luna {number}""#);
    let ids =
        format!(r#""taxId":"{tax_id}","externalId":"crm-{number}","tags":["customer","route {route}"]"#);
    let reached = format!(r#""email":"ana.luna{number}@example.com","phone":"+346{number:08}""#);
    format!(r#"{{{names},{ids},{reached},"address":{address}}}"#)
}

/// The DNI with this number: its letter is a check of it.
pub(crate) fn dni(number: u32) -> String {
    const LETTERS: &str = "TRWAGMYFPDXBNJZSQVHLCKE";
    let letter = LETTERS.chars().nth(number as usize % LETTERS.len()).expect("the remainder is within");
    format!("{number:08}{letter}")
}

//! The texts, and the search for them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Mutex;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use super::places::{Place, Places};

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// May be in the database.
    Personal,
    /// May be nowhere.
    Secret,
}

/// Every text that was put in, by what it is.
pub(super) struct Canaries {
    personal: BTreeMap<&'static str, String>,
    /// Secrets that the test chose, and those that the service made.
    secrets: Mutex<Vec<(String, Vec<u8>)>>,
}

/// Places with one text more.
pub(super) struct Planted {
    pub(super) places: Places,
    /// How the leak must begin.
    pub(super) expected: String,
}

impl Canaries {
    /// As it is, percent-encoded, and in base 64; each in any case.
    pub(super) const FORMS: usize = 3;

    /// Texts that are in use nowhere else; `seed` keeps those of several runs apart.
    pub(super) fn new(seed: &str) -> Self {
        let number = seed.bytes().fold(7_u32, |number, byte| number * 31 % 9_999_991 + u32::from(byte));
        let personal = BTreeMap::from([
            ("given name", format!("Kanarita{seed}")),
            ("family name", format!("Pajarraco{seed}")),
            ("e-mail", format!("kanari.mail.{seed}@jaula.example")),
            ("second e-mail", format!("kanari.other.{seed}@jaula.example")),
            ("operator's e-mail", format!("kanari.ana.{seed}@jaula.example")),
            ("name of a user", format!("Anakanaria {seed}")),
            ("guest's e-mail", format!("kanari.guest.{seed}@jaula.example")),
            ("name of a guest", format!("Huespedkanaria {seed}")),
            ("unknown e-mail", format!("kanari.unknown.{seed}@jaula.example")),
            ("tax id", nif(40_000_000 + number)),
            ("second tax id", nif(50_000_000 + number)),
            ("broken tax id", format!("{}Ñ", 60_000_000 + number)),
            ("iban", iban(number)),
            ("broken iban", format!("ES00{number:020}")),
            ("phone", format!("+3461{number:07}")),
            ("mobile", format!("+3462{number:07}")),
            ("broken phone", format!("+00999{number:07}x")),
            ("date of birth", format!("19{:02}-11-2{}", 30 + number % 60, number % 9)),
            ("street", format!("Calle del Kanario {number}, {seed}")),
            ("postal code", format!("KNR {number}")),
            ("city", format!("Villakanaria{seed}")),
            ("notes", format!("kanari notes {seed}: likes seeds")),
            ("metadata", format!("kanari metadata {seed}")),
            ("query", format!("kanariquery{seed}")),
            ("path", format!("kanaripath{seed}")),
            ("misplaced", format!("kanari where an object belongs {seed}")),
            ("unknown choice", format!("kanarichoice{seed}")),
            ("webhook query", format!("kanarihook{seed}")),
            ("malformed request", format!("kanarigarbage{seed}")),
        ]);
        let chosen = [
            ("password", format!("kanari password {seed}!")),
            ("guest's password", format!("kanari guest password {seed}!")),
            ("new password", format!("kanari new password {seed}!")),
            ("wrong password", format!("kanari wrong password {seed}!")),
            ("short password", format!("kanari {}", &seed[..4.min(seed.len())])),
            ("junk token", format!("svc_live_kanarijunk{seed}")),
            ("basic credential", format!("kanaribasic{seed}")),
            ("second credential", format!("kanarisecond{seed}")),
            ("junk cookie", format!("kanaricookie{seed}")),
            ("junk csrf token", format!("kanaricsrf{seed}")),
            ("key of secret scanners", format!("kanari scanning key of 32 characters {seed}")),
            ("webhook header", format!("kanari webhook header {seed}")),
            ("found token", format!("svc_live_kanarifound{seed}")),
        ];
        let secrets = chosen.map(|(what, text)| (what.to_owned(), text.into_bytes())).into();
        Self { personal, secrets: Mutex::new(secrets) }
    }

    /// The personal text of this name.
    pub(super) fn personal(&self, what: &str) -> &str {
        self.personal.get(what).unwrap_or_else(|| panic!("no text for {what}"))
    }

    /// The chosen secret of this name.
    pub(super) fn secret(&self, what: &str) -> String {
        let secrets = self.secrets.lock().expect("sound");
        let found = secrets.iter().find(|(known, _)| known == what);
        let (_, bytes) = found.unwrap_or_else(|| panic!("no text for {what}"));
        String::from_utf8(bytes.clone()).expect("text")
    }

    /// Takes a secret that the service made.
    pub(super) fn keep(&self, what: &str, secret: impl AsRef<[u8]>) {
        let secret = secret.as_ref().to_vec();
        assert!(secret.len() >= 16, "{what} is no secret");
        self.secrets.lock().expect("sound").push((what.to_owned(), secret));
    }

    pub(super) fn len(&self) -> usize {
        self.personal.len() + self.secrets.lock().expect("sound").len()
    }

    fn all(&self) -> Vec<(Kind, String, Vec<u8>)> {
        let personal = self.personal.iter();
        let personal = personal.map(|(what, text)| (Kind::Personal, (*what).to_owned(), text.clone().into()));
        let secrets = self.secrets.lock().expect("sound").clone();
        personal.chain(secrets.into_iter().map(|(what, bytes)| (Kind::Secret, what, bytes))).collect()
    }

    /// Every place in which a text is that does not belong there.
    pub(super) fn leaks(&self, places: &Places) -> Vec<String> {
        let all = self.all();
        let search = Search::new(&all);
        let mut leaks = Vec::new();
        for place in places.iter() {
            for found in search.found_in(&place.bytes) {
                let (kind, what, text) = &all[found];
                if *kind == Kind::Secret || !place.may_hold_personal_data {
                    leaks.push(format!("{}: {what}{}", place.name, around(&place.bytes, text)));
                }
            }
        }
        leaks
    }

    /// The places once more for each kind of place and each form, with one text put in.
    pub(super) fn planted(&self, places: &Places) -> Vec<Planted> {
        let all = self.all();
        let mut planted = Vec::new();
        for (at, place) in places.one_of_each_kind().enumerate() {
            let fits = |kind: Kind| kind == Kind::Secret || !place.may_hold_personal_data;
            let texts: Vec<_> = all.iter().filter(|(kind, _, _)| fits(*kind)).collect();
            let (_, what, text) = texts[at * 7 % texts.len()];
            let upper = text.to_ascii_uppercase();
            for form in [text.clone(), upper, percent_encoded(text), base64(text)] {
                let mut bytes = place.bytes.clone();
                let middle = bytes.len() / 2;
                bytes.splice(middle..middle, form);
                let expected = format!("{}: {what}", place.name);
                planted.push(Planted { places: Places::of(Place { bytes, ..place.clone() }), expected });
            }
        }
        planted
    }
}

/// Looks for every form of every text at once.
struct Search {
    /// By their first bytes: the rest of a form, and whose it is.
    forms: HashMap<[u8; Self::START], Vec<(Vec<u8>, usize)>>,
    /// Whether some form begins with these two bytes: most places in a file do not.
    begins: Vec<bool>,
}

impl Search {
    /// Every form is longer.
    const START: usize = 8;

    fn new(texts: &[(Kind, String, Vec<u8>)]) -> Self {
        let mut search = Self { forms: HashMap::new(), begins: vec![false; 1 << 16] };
        for (whose, (_, what, text)) in texts.iter().enumerate() {
            for form in [text.clone(), percent_encoded(text), base64(text)] {
                let form = form.to_ascii_lowercase();
                let (start, rest) = form.split_first_chunk().unwrap_or_else(|| panic!("{what} is too short"));
                search.begins[usize::from(u16::from_be_bytes([start[0], start[1]]))] = true;
                search.forms.entry(*start).or_default().push((rest.to_vec(), whose));
            }
        }
        search
    }

    /// The texts that are in these bytes, in any form and any case.
    fn found_in(&self, bytes: &[u8]) -> BTreeSet<usize> {
        let lower = bytes.to_ascii_lowercase();
        let mut found = BTreeSet::new();
        for (at, pair) in lower.windows(2).enumerate() {
            if !self.begins[usize::from(pair[0]) << 8 | usize::from(pair[1])] {
                continue;
            }
            let Some((start, rest)) = lower[at..].split_first_chunk() else { break };
            let fits = self.forms.get(start).into_iter().flatten();
            found.extend(fits.filter(|(form, _)| rest.starts_with(form)).map(|(_, whose)| *whose));
        }
        found
    }
}

/// What stands around a text, to see where it comes from.
fn around(bytes: &[u8], text: &[u8]) -> String {
    let at = bytes.windows(text.len()).position(|part| part.eq_ignore_ascii_case(text));
    at.map_or_else(String::new, |at| {
        let from = at.saturating_sub(120);
        let until = (at + text.len() + 120).min(bytes.len());
        format!(" in `{}`", String::from_utf8_lossy(&bytes[from..until]))
    })
}

fn percent_encoded(text: &[u8]) -> Vec<u8> {
    let encode = |byte: &u8| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(byte) {
            vec![*byte]
        } else {
            format!("%{byte:02X}").into_bytes()
        }
    };
    text.iter().flat_map(encode).collect()
}

/// Base 64 without its last digits, which depend on what follows.
fn base64(text: &[u8]) -> Vec<u8> {
    let whole = &text[..text.len() / 3 * 3];
    STANDARD_NO_PAD.encode(whole).into_bytes()
}

/// A Spanish tax id with its letter.
fn nif(number: u32) -> String {
    let letter = b"TRWAGMYFPDXBNJZSQVHLCKE"[usize::try_from(number % 23).expect("small")];
    format!("{number:08}{}", char::from(letter))
}

/// A Spanish IBAN with its check digits (ISO 7064, MOD 97-10).
fn iban(number: u32) -> String {
    let account = format!("2100{number:016}");
    // E is 14, S is 28.
    let rest =
        format!("{account}142800").bytes().fold(0, |rest, digit| (rest * 10 + u32::from(digit - b'0')) % 97);
    format!("ES{:02}{account}", 98 - rest)
}

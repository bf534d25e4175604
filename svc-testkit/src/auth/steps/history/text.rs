//! What people write about tokens, right and wrong.

/// What a caller writes, and what becomes of it: the stored form, or the member and code of the refusal.
#[derive(Debug)]
pub(in crate::auth::steps) struct Text<W: 'static, S: 'static> {
    pub(in crate::auth::steps) written: W,
    pub(in crate::auth::steps) outcome: Result<S, (&'static str, &'static str)>,
}

/// One text.
pub(in crate::auth::steps) type Line = Text<&'static str, &'static str>;

/// A list of texts.
pub(in crate::auth::steps) type List = Text<&'static [&'static str], &'static [&'static str]>;

impl<W, S> Text<W, S> {
    pub(in crate::auth::steps) fn broken(&self) -> Option<(String, &'static str)> {
        self.outcome.as_ref().err().map(|(member, code)| ((*member).to_owned(), *code))
    }
}

impl Line {
    pub(in crate::auth::steps) fn stored(&self) -> String {
        self.outcome.expect("checked before").to_owned()
    }
}

impl List {
    pub(in crate::auth::steps) fn stored(&self) -> Vec<String> {
        self.outcome.expect("checked before").iter().map(|text| (*text).to_owned()).collect()
    }

    pub(in crate::auth::steps) fn written(&self) -> Vec<String> {
        self.written.iter().map(|text| (*text).to_owned()).collect()
    }
}

const LONG: &str =
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

pub(super) static NAMES: [Line; 6] = [
    Text { written: "Shop", outcome: Ok("Shop") },
    Text { written: "  Shop ", outcome: Ok("Shop") },
    Text { written: "Ñandú 🧾", outcome: Ok("Ñandú 🧾") },
    Text { written: "'; DROP", outcome: Ok("'; DROP") },
    Text { written: " ", outcome: Err(("name", "required")) },
    Text { written: LONG, outcome: Err(("name", "out_of_range")) },
];

pub(super) static PERMISSIONS: [List; 6] = [
    Text { written: &["full"], outcome: Ok(&["*:*.*"]) },
    Text { written: &["read", "*:*.read"], outcome: Ok(&["*:*.read"]) },
    Text {
        written: &["sales:*.*", "contacts:contacts.read"],
        outcome: Ok(&["sales:*.*", "contacts:contacts.read"]),
    },
    Text { written: &["contacts:*.*"], outcome: Ok(&["contacts:*.*"]) },
    Text { written: &[], outcome: Err(("permissions", "required")) },
    Text { written: &["full", "nope"], outcome: Err(("permissions[1]", "unknown_permission")) },
];

pub(super) static ADDRESSES: [List; 5] = [
    Text { written: &[], outcome: Ok(&[]) },
    Text { written: &["203.0.113.7", "::ffff:203.0.113.7"], outcome: Ok(&["203.0.113.7"]) },
    Text { written: &["198.51.100.9/24"], outcome: Ok(&["198.51.100.0/24"]) },
    Text { written: &["2001:db8::1/32", "::1"], outcome: Ok(&["2001:db8::/32", "::1"]) },
    Text { written: &["::1", "anywhere"], outcome: Err(("allowedIps[1]", "invalid_ip")) },
];

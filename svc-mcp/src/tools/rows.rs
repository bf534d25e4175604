//! The table: one row for each tool.

mod kinds;
#[cfg(test)]
mod tests;

use rmcp::model::Tool as Described;
use serde_json::{Value, json};
use svc_auth::token::ConnectionRole;
use svc_core::permission::Grants;

use self::kinds::{KINDS, Kind};
use super::find::{self, Find};
use super::save::{self, Save};
use super::{
    Does, Effect, Shown, Tool, act, commits, overview, profile, read, reconciliation, search, upload,
};
use crate::schema::Api;

/// A tool, and how it is shown.
pub(super) struct Row {
    pub(super) tool: Tool,
    pub(super) shown: Described,
}

/// A kind of record that is written.
struct Draft {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    list: &'static str,
    /// The kind that it is found as.
    found: &'static str,
    writes: [&'static str; 2],
    without: &'static [&'static str],
    /// A member that is what another tool takes as `data`, which says it once.
    like: Option<(&'static str, &'static str)>,
}

const DRAFTS: [Draft; 8] = [
    Draft {
        name: "contact_save",
        title: "Save a contact",
        about: "A new contact needs `kind`, and `legalName` of an organization or `givenName` of a person.",
        list: "/contacts",
        found: "contacts_find",
        writes: ["contacts:contacts.create", "contacts:contacts.update"],
        without: &[],
        like: None,
    },
    Draft {
        name: "supplier_save",
        title: "Save a supplier",
        about: "Makes a contact a supplier: `contactId`, or `contact` with a new one.",
        list: "/suppliers",
        found: "suppliers_find",
        writes: ["purchases:suppliers.create", "purchases:suppliers.update"],
        without: &[],
        like: Some(("contact", "contact_save")),
    },
    Draft {
        name: "case_save",
        title: "Save a case",
        about: "A new case needs `title`, `type` and `contactId`; `status` closes and reopens one.",
        list: "/cases",
        found: "cases_find",
        writes: ["crm:cases.create", "crm:cases.update"],
        without: &[],
        like: None,
    },
    Draft {
        name: "invoice_draft_save",
        title: "Save a draft of a sales document",
        about: "A draft is not issued by this. A new one needs `docType`, `contactId` and `lines`.",
        list: "/billing",
        found: "invoices_find",
        writes: ["sales:invoices.create", "sales:invoices.update"],
        without: &["issue"],
        like: None,
    },
    Draft {
        name: "supplier_document_save",
        title: "Save a supplier document",
        about: "A draft is not approved by this. A new one needs `docType`, `supplierId`, `issueDate` and `lines`.",
        list: "/supplier-documents",
        found: "supplier_documents_find",
        writes: ["purchases:documents.create", "purchases:documents.update"],
        without: &[],
        like: None,
    },
    Draft {
        name: "journal_entry_draft_save",
        title: "Save a draft of a journal entry",
        about: "A draft is not posted by this. A new one needs `date`, `description` and `lines` that balance.",
        list: "/books/{companyId}/journal-entries",
        found: "journal_entries_find",
        writes: ["accounting:journal.create", "accounting:journal.update"],
        without: &["post"],
        like: None,
    },
    Draft {
        name: "fixed_asset_save",
        title: "Save a draft of a fixed asset",
        about: "A draft is not put into use by this. A new one needs `name`, `assetClass`, `acquisitionDate` and `cost`.",
        list: "/books/{companyId}/fixed-assets",
        found: "fixed_assets_find",
        writes: ["accounting:fixed_assets.create", "accounting:fixed_assets.update"],
        without: &["activate"],
        like: None,
    },
    Draft {
        name: "envelope_draft_save",
        title: "Save a draft of an envelope",
        about: "A draft is not sent by this. A new one needs `subject`, `files` that are PDF, and `signers`.",
        list: "/envelopes",
        found: "envelopes_find",
        writes: ["sign:envelopes.create", "sign:envelopes.update"],
        without: &["send"],
        like: None,
    },
];

/// Kinds that no text is looked for in: the companies themselves, those of which a company has a handful, and those that
/// lists find no text in.
const UNSEARCHED: [&str; 4] = ["accounts_find", "bank_accounts_find", "tax_returns_find", "data_room_find"];

/// The kinds that a text is looked for in.
pub(super) fn searched() -> impl Iterator<Item = (&'static str, Find)> {
    let kinds = KINDS.iter().filter(|kind| !UNSEARCHED.contains(&kind.name));
    kinds.map(|kind| (kind.name.trim_end_matches("_find"), kind.find(Vec::new())))
}

/// Every row, in the order in which clients are shown them.
pub(super) fn rows(api: Api<'_>) -> Vec<Row> {
    let mut rows = vec![
        reading(
            "company_overview",
            Does::Overview,
            &Shown {
                name: "company_overview",
                title: "Company at a glance",
                about: "The company, what is open in it, and which others are within reach.",
                schemas: [&overview::input(), &overview::output()],
                effect: Effect::Nothing,
            },
        ),
        reading(
            "search",
            Does::Search,
            &Shown {
                name: "search",
                title: "Search",
                about: "Looks for a text in contacts, cases, documents, books, files and so on; five of each kind at most.",
                schemas: [&search::input(), &search::output()],
                effect: Effect::Nothing,
            },
        ),
    ];
    rows.extend(KINDS.iter().map(|kind| kind.row(api)));
    rows.extend([reconciliation::suggesting(), profile::row(), read::row()]);
    rows.extend(DRAFTS.iter().map(|draft| draft.row(api)));
    rows.extend(act::rows(api));
    rows.push(upload::row());
    rows.extend(commits::rows(api));
    rows
}

/// The members of a kind that hold text which other people wrote.
pub(super) fn untrusted(found: &str) -> &'static [&'static str] {
    KINDS.iter().find(|kind| kind.name == found).map_or(&[][..], |kind| kind.untrusted)
}

/// A tool that reads whatever the caller may.
fn reading(name: &'static str, does: Does, shown: &Shown<'_>) -> Row {
    let role = ConnectionRole::ReadOnly;
    let tool = Tool { name, role, needs: Grants::reading(), does };
    Row { tool, shown: shown.described() }
}

pub(super) fn grants(names: &[&str]) -> Grants {
    Grants::parse(names).expect("a test reads the table")
}

impl Kind {
    fn find(&self, filters: Vec<String>) -> Find {
        Find { list: self.list, filters, concise: self.concise, untrusted: self.untrusted }
    }

    fn row(&self, api: Api<'_>) -> Row {
        let filters = api.filters(self.list);
        let input = find::input(&filters);
        let find = self.find(filters.into_iter().map(|(filter, _)| filter).collect());
        let (name, role) = (self.name, ConnectionRole::ReadOnly);
        Row {
            tool: Tool { name, role, needs: grants(&[self.reads]), does: Does::Find(find) },
            shown: Shown {
                name,
                title: self.title,
                about: self.about,
                schemas: [&input, &find::output()],
                effect: Effect::Nothing,
            }
            .described(),
        }
    }
}

impl Draft {
    fn row(&self, api: Api<'_>) -> Row {
        let mut data = api.body(self.list, &[self.without, &["companyId"]].concat());
        let members = data.get_mut("properties").and_then(Value::as_object_mut);
        if let (Some(members), Some((member, tool))) = (members, self.like) {
            let like = json!({ "type": "object", "description": format!("As `data` of {tool}.") });
            members.insert(member.to_owned(), like);
        }
        let save = Save { list: self.list, without: self.without, untrusted: untrusted(self.found) };
        let (name, role) = (self.name, ConnectionRole::Operator);
        Row {
            tool: Tool { name, role, needs: grants(&self.writes), does: Does::Save(save) },
            shown: Shown {
                name,
                title: self.title,
                about: self.about,
                schemas: [&save::input(&data), &save::output()],
                effect: Effect::Drafts,
            }
            .described(),
        }
    }
}

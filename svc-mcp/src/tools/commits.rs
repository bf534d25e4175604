//! The table of what commits a company: each call waits for a person.

use serde_json::{Value, json};
use svc_auth::token::ConnectionRole;

use super::commit::{self, Commit, Data, Names, Parts, Verb, Way};
use super::rows::{Row, grants, untrusted};
use super::{Does, Effect, Shown, Tool, save};
use crate::schema::Api;

/// A tool that commits.
struct Committing {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    chosen_by: Option<&'static str>,
    ways: &'static [Way],
    /// What it reads to show it.
    reads: &'static [&'static str],
    without: &'static [&'static str],
    /// Members of its answers that hold text which other people wrote.
    untrusted: Untrusted,
    reach: Reach,
}

/// Where what it does is seen, and so where its person decides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Within,
    /// By others.
    Outside,
    /// By others, who are bound by it, or bind the company: decided in the client area alone.
    Binding,
}

/// Where such members are named.
enum Untrusted {
    /// With the kind of record, as it is found.
    Of(&'static str),
    These(&'static [&'static str]),
}

const DOCUMENT: &[&str] = &[
    "docType",
    "number",
    "customer.name",
    "customer.taxId",
    "customer.address.line1 customer.address.line2 customer.address.postalCode customer.address.city customer.country",
    "totals.total currency",
    "totals.payable currency",
    "issueDate",
    "dueDate",
    "reference",
];
const SALES_LINES: &[Parts] =
    &[lines_of("lines", "line", &["description", "quantity", "unitPrice", "taxCode", "netAmount"])];
const ENTRY: &[&str] = &["number", "date", "description", "reference", "totalDebit baseCurrency"];
const ENTRY_LINES: &[Parts] =
    &[lines_of("lines", "line", &["accountCode", "accountName", "debit", "credit", "description"])];
const RETURN: &[&str] = &[
    "model",
    "period year",
    "kind",
    "from to",
    "dueDate",
    "result.type result.amount",
    "partyCount",
    "isStale",
];
const SIGNED: &[Parts] = &[
    lines_of("signers", "signer", &["name", "email", "role", "order", "auth"]),
    Parts {
        record: Some(("/files/{id}", "fileId")),
        ..lines_of("files", "file", &["name", "versionNumber", "mimeType", "size"])
    },
];
const SUBSCRIPTION: &[&str] = &["name", "url", "events", "active"];

const fn lines_of(of: &'static str, line: &'static str, shows: &'static [&'static str]) -> Parts {
    Parts { of, line, shows, record: None }
}

/// A way of a tool that has one.
const fn only(does: Verb, path: &'static str, needs: &'static str) -> Way {
    named("", does, path, needs)
}

const fn named(name: &'static str, does: Verb, path: &'static str, needs: &'static str) -> Way {
    Way {
        name,
        does,
        record: None,
        path,
        needs,
        data: Data::Nothing,
        primary_only: false,
        shows: &[],
        parts: &[],
        names: None,
    }
}

/// Erasing a record.
const fn erasing(
    name: &'static str,
    record: &'static str,
    needs: &'static str,
    shows: &'static [&'static str],
) -> Way {
    Way { record: Some(record), shows, ..named(name, Verb::Delete, record, needs) }
}

const ONE_DOCUMENT: Option<&str> = Some("/billing/{id}");
const ONE_ENTRY: &str = "/books/{companyId}/journal-entries/{id}";
const SUBSCRIPTIONS: &str = "/webhooks/subscriptions";
const ONE_SUBSCRIPTION: &str = "/webhooks/subscriptions/{id}";

const COMMITTING: [Committing; 8] = [
    Committing {
        name: "invoice_issue",
        title: "Issue a sales document",
        about: "Gives a draft its number; it never changes again. A person approves each call.",
        chosen_by: None,
        ways: &[Way {
            record: ONE_DOCUMENT,
            data: Data::Optional,
            shows: DOCUMENT,
            parts: SALES_LINES,
            ..only(Verb::Post, "/billing/{id}/issue", "sales:invoices.issue")
        }],
        reads: &["sales:invoices.read"],
        without: &[],
        untrusted: Untrusted::Of("invoices_find"),
        reach: Reach::Within,
    },
    Committing {
        name: "invoice_cancel",
        title: "Void a sales document",
        about: "Voids an issued document for good, with a reason. A person approves each call.",
        chosen_by: None,
        ways: &[Way {
            record: ONE_DOCUMENT,
            data: Data::Required,
            shows: DOCUMENT,
            parts: SALES_LINES,
            ..only(Verb::Post, "/billing/{id}/void", "sales:invoices.void")
        }],
        reads: &["sales:invoices.read"],
        without: &[],
        untrusted: Untrusted::Of("invoices_find"),
        reach: Reach::Within,
    },
    Committing {
        name: "journal_entry_post",
        title: "Post a journal entry",
        about: "Gives a draft its number in the journal; what it moves never changes again. A person approves each call.",
        chosen_by: None,
        ways: &[Way {
            record: Some(ONE_ENTRY),
            shows: ENTRY,
            parts: ENTRY_LINES,
            ..only(Verb::Post, "/books/{companyId}/journal-entries/{id}/post", "accounting:journal.post")
        }],
        reads: &["accounting:journal.read"],
        without: &[],
        untrusted: Untrusted::Of("journal_entries_find"),
        reach: Reach::Within,
    },
    Committing {
        name: "tax_return_submit",
        title: "Say that a tax return was filed",
        about: "Of a prepared return that is not stale: settles its VAT in the books and locks its period. A person approves \
                each call, in the client area.",
        chosen_by: None,
        ways: &[Way {
            record: Some("/tax/returns/{id}"),
            data: Data::Required,
            shows: RETURN,
            parts: &[lines_of("warnings", "warning", &["code", "count"])],
            ..only(Verb::Post, "/tax/returns/{id}/submit", "tax:returns.submit")
        }],
        reads: &["tax:returns.read"],
        without: &[],
        untrusted: Untrusted::Of("tax_returns_find"),
        reach: Reach::Binding,
    },
    Committing {
        name: "data_room_share",
        title: "Add a file to the data room",
        about: "Shows the version that the file `id` has at `if_version` to those who see the data room. A person approves \
                each call.",
        chosen_by: None,
        ways: &[Way {
            record: Some("/files/{id}"),
            data: Data::Required,
            shows: &["name", "mimeType", "size", "versionNumber", "containsPersonalData"],
            names: Some(Names { record: "fileId", content: ("fileVersion", "versionNumber") }),
            ..only(Verb::Post, "/data-room/files", "documents:data_room.create")
        }],
        reads: &["documents:files.read"],
        without: &["companyId", "fileId", "fileVersion", "file"],
        untrusted: Untrusted::Of("data_room_find"),
        reach: Reach::Outside,
    },
    Committing {
        name: "envelope_send",
        title: "Send an envelope",
        about: "Asks its signers by mail to sign. A person approves each call, in the client area.",
        chosen_by: None,
        ways: &[Way {
            record: Some("/envelopes/{id}"),
            shows: &["subject", "message", "order", "expiresAt", "language", "reminderEveryDays"],
            parts: SIGNED,
            ..only(Verb::Post, "/envelopes/{id}/send", "sign:envelopes.send")
        }],
        reads: &["sign:envelopes.read", "documents:files.read"],
        without: &[],
        untrusted: Untrusted::Of("envelopes_find"),
        reach: Reach::Binding,
    },
    Committing {
        name: "webhook_manage",
        title: "Manage webhook subscriptions",
        about: "Lists the subscriptions of the primary company; creates, changes and deletes them, each time with the \
                approval of a person. Its secret is not given here: a person makes a new one in the client area (New secret).",
        chosen_by: Some("action"),
        ways: &[
            Way { primary_only: true, ..named("list", Verb::Get, SUBSCRIPTIONS, "developers:webhooks.read") },
            Way {
                primary_only: true,
                data: Data::Required,
                ..named("create", Verb::Post, SUBSCRIPTIONS, "developers:webhooks.create")
            },
            Way {
                primary_only: true,
                record: Some(ONE_SUBSCRIPTION),
                data: Data::Required,
                shows: SUBSCRIPTION,
                ..named("update", Verb::Patch, ONE_SUBSCRIPTION, "developers:webhooks.update")
            },
            Way {
                primary_only: true,
                ..erasing("delete", ONE_SUBSCRIPTION, "developers:webhooks.delete", SUBSCRIPTION)
            },
        ],
        // A subscription takes the right to read what its events tell.
        reads: &["read"],
        without: &["headers"],
        untrusted: Untrusted::These(&["name", "url"]),
        reach: Reach::Within,
    },
    Committing {
        name: "record_delete",
        title: "Erase a record",
        about: "Erases a contact that nothing refers to, or a draft. A person approves each call.",
        chosen_by: Some("kind"),
        ways: &[
            erasing(
                "contact",
                "/contacts/{id}",
                "contacts:contacts.delete",
                &["name", "kind", "roles", "taxId", "email"],
            ),
            Way {
                parts: SALES_LINES,
                ..erasing("invoice", "/billing/{id}", "sales:invoices.delete", DOCUMENT)
            },
            Way {
                parts: ENTRY_LINES,
                ..erasing("journal_entry", ONE_ENTRY, "accounting:journal.delete", ENTRY)
            },
            erasing(
                "fixed_asset",
                "/books/{companyId}/fixed-assets/{id}",
                "accounting:fixed_assets.update",
                &["name", "code", "assetClass", "acquisitionDate", "cost currency"],
            ),
        ],
        reads: &[
            "contacts:contacts.read",
            "sales:invoices.read",
            "accounting:journal.read",
            "accounting:fixed_assets.read",
        ],
        without: &[],
        untrusted: Untrusted::These(&[]),
        reach: Reach::Within,
    },
];

/// Their rows, in the order in which clients are shown them.
pub(super) fn rows(api: Api<'_>) -> impl Iterator<Item = Row> {
    COMMITTING.iter().map(move |one| one.row(api))
}

/// The names of the members that an object takes.
fn members_of(schema: Option<&Value>) -> Vec<String> {
    let properties = schema.and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    properties.into_iter().flat_map(|members| members.keys().cloned()).collect()
}

impl Committing {
    fn row(&'static self, api: Api<'_>) -> Row {
        let data = self.data(api);
        let choice = self.chosen_by.map(|argument| (argument, self.ways));
        let input = commit::input(data.as_ref().map(|(schema, kind)| (schema, *kind)), choice);
        let needed: Vec<_> =
            self.ways.iter().map(|way| way.needs).chain(self.reads.iter().copied()).collect();
        let commit = Commit {
            name: self.name,
            chosen_by: self.chosen_by,
            ways: self.ways,
            members: members_of(data.as_ref().map(|(schema, _)| schema)),
            untrusted: match self.untrusted {
                Untrusted::Of(found) => untrusted(found),
                Untrusted::These(names) => names,
            },
            on_page: self.reach == Reach::Binding,
        };
        let role = ConnectionRole::Full;
        Row {
            tool: Tool { name: self.name, role, needs: grants(&needed), does: Does::Commit(commit) },
            shown: Shown {
                name: self.name,
                title: self.title,
                about: self.about,
                schemas: [&input, &save::output()],
                effect: if self.reach == Reach::Within { Effect::Commits } else { Effect::Leaves },
            }
            .described(),
        }
    }

    /// What it takes beside the record, as the route takes it that does it, and whether it must be there.
    fn data(&self, api: Api<'_>) -> Option<(Value, Data)> {
        let way = self.ways.iter().find(|way| way.does == Verb::Post && way.data != Data::Nothing)?;
        if self.chosen_by.is_none() {
            return Some((api.request(way.path, self.without), way.data));
        }
        // A new one and a change have one form here.
        let mut schema = api.body(way.path, self.without);
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            properties.insert(
                "active".to_owned(),
                json!({ "type": "boolean", "description": "Of a subscription that exists." }),
            );
        }
        Some((schema, Data::Optional))
    }
}

#[cfg(test)]
mod tests {
    use super::super::described::{answer, members};
    use super::*;

    #[test]
    fn every_member_that_a_person_is_shown_is_one_of_its_record() {
        let api = svc_http::openapi("https://svc.example", &svc_business::catalogue::events());
        for committing in &COMMITTING {
            for way in committing.ways {
                let Some(record) = way.record else {
                    assert!(way.shows.is_empty() && way.parts.is_empty(), "{}", committing.name);
                    continue;
                };
                let shape = answer(&api, record);
                for path in way.shows.iter().flat_map(|names| names.split(' ')) {
                    let mut at = shape.clone();
                    for name in path.split('.') {
                        assert!(members(&api, &at).contains_key(name), "{} shows {path}", committing.name);
                        at = members(&api, &at)[name].clone();
                    }
                }
                for parts in way.parts {
                    let list = members(&api, shape).get(parts.of).map(|list| members(&api, &list["items"]));
                    let list = list.unwrap_or_default();
                    let part = match parts.record {
                        Some((path, member)) => {
                            assert!(list.contains_key(member), "{} follows {member}", committing.name);
                            members(&api, answer(&api, path))
                        }
                        None => list,
                    };
                    for name in parts.shows {
                        assert!(part.contains_key(*name), "{} shows {name} of a part", committing.name);
                    }
                }
                assert!(!way.shows.is_empty() && way.shows.len() <= 10, "{}", committing.name);
            }
        }
    }
}

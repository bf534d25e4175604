//! One side: a token, its companies, and all that it may know.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::{Value, json};
use svc_business::founding;
use svc_business::membership;
use svc_core::clock::Clock as _;
use svc_core::id::AccountId;
use svc_core::role::Role;
use svc_testkit::business::sample;

use super::{billing, purchases, signature, treasury};
use crate::client_area::{Browser, ClientAreaApp, user};
use crate::test_app::{Answer, Client};

/// Kinds of ids that belong to one side alone.
const KINDS: [&str; 33] = [
    "env", "sgr", "drf", "txr", "fil", "fld", "txp", "ntc", "bka", "bmi", "bmv", "acc", "con", "cas", "grp",
    "mem", "whs", "dlv", "evt", "tok", "rpl", "fas", "fyr", "jen", "jln", "lac", "inv", "ser", "sln", "pay",
    "sup", "sdc", "sdl",
];

pub(super) struct Side {
    pub(super) name: &'static str,
    pub(super) client: Client,
    /// In every text that this side writes.
    pub(super) canary: String,
    /// The companies of the scope, primary account first.
    pub(super) companies: Vec<String>,
    browser: Browser,
    /// Ids by their kind, in the order of their appearance.
    known: BTreeMap<&'static str, Vec<String>>,
}

/// Two full tokens with two companies each, and a masked one.
pub(super) async fn sides(area: &ClientAreaApp) -> Vec<Side> {
    let [delta, epsilon] = [company(area, 4, "Delta").await, company(area, 5, "Epsilon").await];
    let mut sides = Vec::new();
    for (name, person, companies, personal) in [
        ("Acme", "ana", vec![area.acme, area.beta], true),
        ("Gamma", "dora", vec![area.gamma, delta], true),
        ("Epsilon", "dora", vec![epsilon], false),
    ] {
        let mut side = Side::new(area, name, person, &companies, personal).await;
        side.seed().await;
        // Whom it asked an hour ago may be reminded.
        let now = area.clock.now();
        area.clock.set(now.minus(Duration::from_hours(1)));
        side.ask().await;
        area.clock.set(now);
        sides.push(side);
    }
    sides
}

/// One more company of Dora's.
async fn company(area: &ClientAreaApp, number: u128, name: &str) -> AccountId {
    let scope = sample::everything();
    let mut company = sample::bare_account(number);
    name.clone_into(&mut company.legal_name);
    let unit = area.database.business().begin().await.unwrap();
    unit.accounts().insert(&scope, &company).await.unwrap();
    let (call, dora) = (area.call(&scope), user("dora"));
    membership::add(unit.as_ref(), call, Role::Holder, company.id, dora, Role::Holder).await.unwrap();
    founding::begin(unit.as_ref(), call, &company).await.unwrap();
    unit.commit().await.unwrap();
    company.id
}

impl Side {
    async fn new(
        area: &ClientAreaApp,
        name: &'static str,
        person: &str,
        companies: &[AccountId],
        personal: bool,
    ) -> Self {
        let canary = format!("canary-{}", name.to_lowercase());
        let browser = area.browser(person).await;
        // Its companies are one group, which the token names: so it makes subsidiaries.
        let group = json!({"name": canary, "parentAccountId": companies[0]});
        let group = browser.post("/groups", &group).await.ok(201);
        for member in &companies[1..] {
            let path = format!("/groups/{}/members", group.id());
            browser.post(&path, &json!({ "accountId": member })).await.ok(200);
        }
        let body = json!({
            "name": canary, "permissions": ["full"], "personalData": personal,
            "primaryAccountId": companies[0], "accountIds": companies[1..], "groupIds": [group.id()],
        });
        let created = browser.post("/tokens", &body).await.ok(201);
        let token = created.json["value"].as_str().unwrap().to_owned();
        let client = Client { router: area.router.clone(), token };
        let companies = companies.iter().map(ToString::to_string).collect();
        let mut side = Self { name, client, canary, companies, browser, known: BTreeMap::new() };
        side.learn(&created.json);
        side.learn(&group.json);
        side
    }

    /// Something of every kind.
    async fn seed(&mut self) {
        let mut answers = Vec::new();
        for number in 1..=4 {
            let name = format!("{} {number} SL", self.canary);
            let mut body =
                json!({"kind": "organization", "legalName": name, "externalId": format!("ext-{number}")});
            if number == 1 {
                body["taxId"] = json!("A58818501");
                body["address"] = json!({"line1": "Calle Mayor 2", "city": "Madrid", "postalCode": "28013",
                    "country": "ES"});
            }
            answers.push(self.client.post("/contacts", &body).await.ok(201));
        }
        let contact = answers[0].id();
        for number in 1..=2 {
            let title = format!("{} case {number}", self.canary);
            let body = json!({"title": title, "type": "legal", "contactId": contact});
            answers.push(self.client.post("/cases", &body).await.ok(201));
        }
        for entry in self.entries() {
            let path = format!("/books/{}/journal-entries", self.companies[0]);
            answers.push(self.client.post(&path, &entry).await.ok(201));
        }
        for number in 1..=2 {
            let name = format!("{} asset {number}", self.canary);
            let body = json!({
                "name": name, "assetClass": "tools", "acquisitionDate": "2025-01-01", "cost": "100.00",
            });
            let path = format!("/books/{}/fixed-assets", self.companies[0]);
            answers.push(self.client.post(&path, &body).await.ok(201));
        }
        answers.extend(self.tills().await);
        answers.extend(self.returns().await);
        for company in &self.companies {
            let body = json!({"tradeName": self.canary, "taxId": "B12345674",
                "address": {"line1": "Calle Mayor 1", "city": "Madrid", "postalCode": "28013", "country": "ES"}});
            answers.push(self.client.patch(&format!("/accounts/{company}"), &[], &body).await.ok(200));
        }
        for document in billing::seeds(&self.canary, &contact) {
            answers.push(self.client.post("/billing", &document).await.ok(201));
        }
        let paid = format!("/billing/{}/payments", answers[answers.len() - 2].id());
        let payment = json!({"amount": "1.00", "date": "2025-03-01", "method": "cash"});
        answers.push(self.client.post(&paid, &payment).await.ok(201));
        let supplier = json!({ "contactId": contact });
        let supplier = self.client.post("/suppliers", &supplier).await.ok(201);
        for number in 0..purchases::SEEDS {
            let body = purchases::seed(&self.canary, &supplier.id(), number);
            let document = self.client.post("/supplier-documents", &body).await.ok(201);
            let act = |verb: &str| format!("/supplier-documents/{}/{verb}", document.id());
            match number {
                0..=2 => drop(self.client.post(&act("approve"), &json!({})).await.ok(200)),
                5 => drop(self.client.post(&act("reject"), &json!({"reason": self.canary})).await.ok(200)),
                _ => {}
            }
            if number == 0 {
                answers.push(self.client.post(&act("payments"), &payment).await.ok(201));
            }
            answers.push(document);
        }
        answers.push(supplier);
        let events = ["contact.create", "contact.update", "contact.delete"];
        let url = format!("https://hooks.example.com/{}", self.canary);
        let body = json!({"name": self.canary, "url": url, "events": events});
        let subscription = self.client.post("/webhooks/subscriptions", &body).await.ok(201);
        let test = format!("/webhooks/subscriptions/{}/test", subscription.id());
        answers.push(self.client.post(&test, &json!({})).await.ok(200));
        let replay = format!("/webhooks/subscriptions/{}/replay", subscription.id());
        answers.push(self.client.post(&replay, &json!({"from": "2020-01-01"})).await.ok(202));
        answers.push(subscription);
        for answer in answers {
            self.learn(&answer.json);
        }
        self.learn_from_lists().await;
    }

    /// Three returns, of which the first one was filed.
    async fn returns(&self) -> Vec<Answer> {
        let mut answers = Vec::new();
        for number in 1..=3 {
            let new = json!({"model": "111", "year": 2023, "period": format!("{number}T")});
            answers.push(self.client.post("/tax/returns", &new).await.ok(201));
        }
        let path = format!("/tax/returns/{}", answers[0].id());
        self.client.post(&format!("{path}/prepare"), &json!({})).await.ok(200);
        self.client.post(&format!("{path}/submit"), &json!({"channel": "manual"})).await.ok(200);
        answers
    }

    /// A PDF file that gets versions, and envelopes with another one.
    async fn ask(&mut self) {
        let mut answers = Vec::new();
        for _ in 0..2 {
            answers.push(self.client.post("/files", &signature::file(&self.canary)).await.ok(201));
        }
        let file = answers[1].id();
        for number in 0..signature::SEEDS {
            let body = signature::seed(&self.canary, &file, number);
            answers.push(self.client.post("/envelopes", &body).await.ok(201));
        }
        for answer in answers {
            self.learn(&answer.json);
        }
    }

    /// Two cash boxes, each with a statement.
    async fn tills(&self) -> Vec<Answer> {
        let mut answers = Vec::new();
        for number in 1..=2 {
            let body = json!({"name": format!("{} till {number}", self.canary), "type": "cash"});
            let till = self.client.post("/treasury/bank-accounts", &body).await.ok(201);
            let statement = json!({ "file": treasury::statement(&self.canary) });
            let path = format!("/treasury/bank-accounts/{}/imports", till.id());
            answers.push(self.client.post(&path, &statement).await.ok(201));
            answers.push(till);
        }
        answers
    }

    /// One that is posted, and drafts to post and to delete; those are dated in the next year, so that this one
    /// can be closed.
    fn entries(&self) -> [Value; 3] {
        let entry = |date, post| {
            json!({"date": date, "description": self.canary, "post": post, "lines": [
                {"accountCode": "6210000", "debit": "800.00"}, {"accountCode": "5720000", "credit": "800.00"},
            ]})
        };
        [entry("2025-02-01", true), entry("2026-02-01", false), entry("2026-02-02", false)]
    }

    async fn learn_from_lists(&mut self) {
        for path in self.lists() {
            let answer = self.client.get(&path).await.ok(200);
            self.learn(&answer.json);
        }
    }

    /// Everything that the side can read.
    fn lists(&self) -> Vec<String> {
        let mut lists: Vec<_> = [
            "/contacts?companyId=all&status=all&limit=200",
            "/cases?companyId=all&limit=200",
            "/accounts?limit=100",
        ]
        .into_iter()
        .chain(["/groups?limit=100", "/webhooks/subscriptions?limit=100"])
        .chain(["/books?companyId=all", "/billing?companyId=all&limit=100&include=lines"])
        .chain(["/billing/series?companyId=all", "/suppliers?companyId=all&limit=500"])
        .chain([
            "/supplier-documents?companyId=all&limit=200",
            "/treasury/bank-accounts?companyId=all&limit=200",
            "/treasury/imports?companyId=all&limit=200",
            "/treasury/bank-movements?companyId=all&limit=200",
            "/tax/notices?companyId=all&limit=200",
            "/tax/returns?companyId=all&limit=200",
            "/files?companyId=all&limit=200",
            "/folders?companyId=all&limit=200",
            "/data-room/files?companyId=all&limit=200",
            "/envelopes?companyId=all&limit=200",
        ])
        .chain(["/webhooks/event-log?companyId=all&limit=200"])
        .map(str::to_owned)
        .collect();
        lists.extend(self.companies.iter().map(|id| format!("/accounts/{id}/members")));
        lists.extend(self.companies.iter().map(|id| format!("/tax/profile?companyId={id}")));
        for kind in [
            "journal-lines?entryStatus=draft,posted,reversed&limit=500",
            "journal-entries?limit=200",
            "fiscal-years",
            "fixed-assets?limit=200",
            "accounts?prefix=629",
            "reports/trial-balance?nonZero=true",
            "reports/journal",
        ] {
            lists.extend(self.companies.iter().map(|id| format!("/books/{id}/{kind}")));
        }
        for id in self.ids("whs") {
            lists.push(format!("/webhooks/subscriptions/{id}/deliveries?limit=100"));
            lists.push(format!("/webhooks/subscriptions/{id}/replays?limit=100"));
        }
        lists
    }

    /// What all of it is now, word by word.
    pub(super) async fn state(&self) -> Vec<String> {
        let mut state = Vec::new();
        for path in self.lists() {
            let answer = self.client.get(&path).await;
            // What the side itself deleted or merged away stays in its list of paths.
            let whole = if answer.status == 404 { String::new() } else { answer.ok(200).text };
            state.push(format!("{path} {whole}"));
        }
        let log = format!("/audit-log?companyId={}&limit=100", self.companies.join(","));
        let log = self.browser.get(&log).await;
        // A company that was merged away is none of the person's any more.
        state.push(if log.status == 404 { String::new() } else { log.ok(200).text });
        state
    }

    /// Remembers the ids in an answer to this side.
    pub(super) fn learn(&mut self, answer: &Value) {
        match answer {
            Value::String(text) => {
                let kind =
                    KINDS.into_iter().find(|kind| text.len() == 30 && text.starts_with(&format!("{kind}_")));
                if let Some(kind) = kind {
                    let known = self.known.entry(kind).or_default();
                    if !known.contains(text) {
                        known.push(text.clone());
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.learn(item)),
            Value::Object(members) => members.values().for_each(|member| self.learn(member)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    pub(super) fn ids(&self, kind: &str) -> &[String] {
        self.known.get(kind).map(Vec::as_slice).unwrap_or_default()
    }

    /// What no other side may be shown.
    pub(super) fn secrets(&self) -> BTreeSet<&str> {
        let ids = self.known.values().flatten().chain(&self.companies);
        ids.chain([&self.canary]).map(String::as_str).collect()
    }
}

//! Requests that cross each other: whichever comes first, both clients learn what holds, and nothing is done twice.
//!
//! Each pair meets in some rounds, so that it meets in different orders; none of them may end in an error of the server.

use std::sync::Barrier;

use serde_json::{Value, json};

use crate::harness::{Api, Reply, Server, Site};

const ROUNDS: usize = 6;

/// A company that the server serves on PostgreSQL, where requests run beside each other.
struct Office {
    _site: Site,
    server: Server,
    company: String,
    api: Api,
}

impl Office {
    fn open() -> Option<Self> {
        let site = Site::on_postgres()?;
        let [company, _, token] = site.bootstrap();
        let server = site.serve();
        let api = server.api(&token);
        Some(Self { _site: site, server, company, api })
    }

    fn books(&self, path: &str) -> String {
        format!("/api/v1/books/{}{path}", self.company)
    }

    fn made(&self, path: &str, body: &Value) -> String {
        id(&self.api.post(&format!("/api/v1{path}"), body).expect(201))
    }

    /// A bank account, and its account in the ledger.
    fn bank(&self, name: &str) -> (String, String) {
        let made = self.api.post("/api/v1/treasury/bank-accounts", &json!({"name": name, "type": "cash"}));
        let made = made.expect(201);
        (id(&made), made["accountCode"].as_str().expect("a code").to_owned())
    }

    fn movement(&self, account: &str, amount: &str) -> String {
        let movement = json!({"bookingDate": self.today(), "amount": amount, "description": "Traspaso"});
        let body = json!({"bankAccountId": account, "movements": [movement]});
        let import = self.made("/treasury/bank-movements", &body);
        let list = self.api.get(&format!("/api/v1/treasury/bank-movements?importId={import}")).expect(200);
        id(&list["items"][0])
    }

    /// A day of the one year that is open at the start.
    fn today(&self) -> String {
        let years = self.api.get(&self.books("/fiscal-years")).expect(200);
        years["items"][0]["startDate"].as_str().expect("a day").to_owned()
    }

    /// An entry of two lines, posted; of a contact where one is named.
    fn entry(&self, contact: Option<&str>) -> Reply {
        let code = if contact.is_some() { "4300000" } else { "5720000" };
        let lines = json!([{"accountCode": code, "debit": "10.00", "contactId": contact},
            {"accountCode": "7000000", "credit": "10.00"}]);
        let body = json!({"date": self.today(), "description": "Venta", "lines": lines, "post": true});
        self.api.post(&self.books("/journal-entries"), &body)
    }
}

fn id(object: &Value) -> String {
    object["id"].as_str().expect("an id").to_owned()
}

/// What comes of requests that are sent at the same time; none is an error of the server.
#[track_caller]
fn at_once<const N: usize>(requests: [&(dyn Fn() -> Reply + Sync); N]) -> [Reply; N] {
    let start = Barrier::new(N);
    let replies = std::thread::scope(|scope| {
        let sent = requests.map(|request| {
            let start = &start;
            scope.spawn(move || {
                start.wait();
                request()
            })
        });
        sent.map(|sent| sent.join().expect("a reply"))
    });
    for reply in &replies {
        assert!(reply.status < 500, "{}: {}", reply.status, reply.text);
    }
    replies
}

fn statuses<const N: usize>(replies: &[Reply; N]) -> [u16; N] {
    let mut statuses = replies.each_ref().map(|reply| reply.status);
    statuses.sort_unstable();
    statuses
}

#[test]
fn both_sides_of_a_transfer_are_booked_once() {
    let Some(office) = Office::open() else { return };
    let ((bank, code), (till, _)) = (office.bank("Banco"), office.bank("Caja"));
    for round in 1..=ROUNDS {
        let amount = format!("{round}.00");
        let sides = [(&bank, &till, format!("-{amount}")), (&till, &bank, amount)];
        let say = |(own, other, amount): &(&String, &String, String)| {
            let path = format!("/api/v1/treasury/bank-movements/{}/reconcile", office.movement(own, amount));
            let body = json!({"allocations": [{"type": "transfer", "id": other, "amount": amount}]});
            (path, body)
        };
        let [one, other] = sides.each_ref().map(say);
        let replies = at_once([&|| office.api.post(&one.0, &one.1), &|| office.api.post(&other.0, &other.1)]);
        assert_eq!(statuses(&replies), [200, 422], "{replies:?}");
        assert!(replies.iter().any(|reply| reply.text.contains("transfer_known")), "{replies:?}");
    }
    let lines = office.api.get(&office.books(&format!("/journal-lines?accountCode={code}"))).expect(200);
    assert_eq!(lines["total"], ROUNDS, "{lines}");
    office.server.stop();
}

#[test]
fn a_seller_whom_many_describe_becomes_one_supplier() {
    let Some(office) = Office::open() else { return };
    for round in 0..ROUNDS {
        let number = 12_345_678 + round;
        let letter = b"TRWAGMYFPDXBNJZSQVHLCKE"[number % 23] as char;
        let contact = json!({"kind": "person", "givenName": "Ana", "familyName": "Sol",
            "taxId": format!("{number}{letter}")});
        let body = json!({ "contact": contact });
        let describe = || office.api.post("/api/v1/suppliers", &body);
        let replies = at_once([&describe, &describe, &describe, &describe]);
        assert_eq!(statuses(&replies), [201, 409, 409, 409], "{replies:?}");
        let known = replies.iter().filter(|reply| reply.text.contains("supplier_exists")).count();
        assert_eq!(known, 3, "{replies:?}");

        let contact = office.api.contact("Yeso SL");
        let body = json!({ "contactId": contact });
        let name = || office.api.post("/api/v1/suppliers", &body);
        let replies = at_once([&name, &name, &name, &name]);
        assert_eq!(statuses(&replies), [201, 409, 409, 409], "{replies:?}");
    }
    office.server.stop();
}

#[test]
fn an_entry_is_reversed_once() {
    let Some(office) = Office::open() else { return };
    for _ in 0..ROUNDS {
        let entry = id(&office.entry(None).expect(201));
        let path = office.books(&format!("/journal-entries/{entry}/reverse"));
        let reverse = || office.api.post(&path, &json!({}));
        let replies = at_once([&reverse, &reverse, &reverse, &reverse]);
        assert_eq!(statuses(&replies), [201, 409, 409, 409], "{replies:?}");
    }
    office.server.stop();
}

/// The one locks the document first, and the other the contact: the database ends one of two that wait for each other.
#[test]
fn what_is_paid_while_its_customer_is_merged_is_paid_once_by_the_survivor() {
    let Some(office) = Office::open() else { return };
    let at = json!({"line1": "Calle Mayor 1", "city": "Madrid", "postalCode": "28013", "country": "ES"});
    let company = json!({"taxId": "B12345674", "address": at});
    office.api.patch(&format!("/api/v1/accounts/{}", office.company), &company).expect(200);
    for _ in 0..ROUNDS {
        let [absorbed, survivor] = ["Una SL", "Otra SL"].map(|name| {
            let body = json!({"kind": "organization", "legalName": name, "address": at});
            office.made("/contacts", &body)
        });
        let body = json!({"docType": "simplified_invoice", "contactId": absorbed, "issue": true,
            "lines": [{"description": "Trabajo", "unitPrice": "100.00"}]});
        let invoice = office.api.post("/api/v1/billing", &body).expect(201);
        let path = format!("/api/v1/billing/{}", id(&invoice));
        let payments = format!("{path}/payments");
        let payment = json!({"date": invoice["issueDate"], "method": "transfer", "amount": "121.00"});
        let (merge, body) = (format!("/api/v1/contacts/{survivor}/merge"), json!({ "mergedId": absorbed }));
        let replies = at_once([&|| office.api.post(&payments, &payment), &|| office.api.post(&merge, &body)]);
        assert_eq!(replies[1].status, 200, "{replies:?}");
        assert!([201, 409].contains(&replies[0].status), "{replies:?}");
        let left = if replies[0].status == 201 { "0.00" } else { "121.00" };
        let invoice = office.api.get(&path).expect(200);
        assert_eq!((&invoice["contactId"], &invoice["totals"]["due"]), (&json!(survivor), &json!(left)));
        let lines = office.books(&format!("/journal-lines?contactId={absorbed}"));
        assert_eq!(office.api.get(&lines).expect(200)["total"], 0);
    }
    office.server.stop();
}

#[test]
fn a_person_has_no_persons() {
    let Some(office) = Office::open() else { return };
    for _ in 0..ROUNDS {
        let parent = office.api.contact("Madre SL");
        let path = format!("/api/v1/contacts/{parent}");
        let names = json!({"kind": "person", "givenName": "Ana", "familyName": "Sol"});
        let child =
            json!({"kind": "person", "givenName": "Eva", "familyName": "Sol", "parentContactId": parent});
        let replies =
            at_once([&|| office.api.patch(&path, &names), &|| office.api.post("/api/v1/contacts", &child)]);
        let refused = replies.iter().filter(|reply| reply.status == 422).count();
        assert_eq!(refused, 1, "{replies:?}");

        // The same of the contact of a supplier, by what is said of that.
        let parent = office.api.contact("Madre SL");
        let supplier = office.made("/suppliers", &json!({ "contactId": parent }));
        let path = format!("/api/v1/suppliers/{supplier}");
        let names = json!({ "contact": names });
        let child =
            json!({"kind": "person", "givenName": "Eva", "familyName": "Sol", "parentContactId": parent});
        let replies =
            at_once([&|| office.api.patch(&path, &names), &|| office.api.post("/api/v1/contacts", &child)]);
        let refused = replies.iter().filter(|reply| reply.status == 422).count();
        assert_eq!(refused, 1, "{replies:?}");
    }
    office.server.stop();
}

#[test]
fn the_books_name_no_account_that_is_gone() {
    let Some(office) = Office::open() else { return };
    for round in 0..ROUNDS {
        let code = format!("559001{round}");
        let account = json!({"code": code, "name": "Partidas pendientes"});
        let account = id(&office.api.post(&office.books("/accounts"), &account).expect(201));
        let path = office.books(&format!("/accounts/{account}"));
        let named = json!({"defaultAccounts": {"suspense": code}});
        let replies = at_once([&|| office.api.call("DELETE", &path, &[], ""), &|| {
            office.api.patch(&office.books(""), &named)
        }]);
        let done = replies.iter().filter(|reply| reply.status < 300).count();
        assert_eq!(done, 1, "{replies:?}");
    }
    office.server.stop();
}

#[test]
fn what_is_posted_counts_in_the_currency_of_the_company() {
    let mut posted = 0;
    for _ in 0..ROUNDS {
        let Some(office) = Office::open() else { return };
        let path = format!("/api/v1/accounts/{}", office.company);
        let dollars = json!({"baseCurrency": "USD"});
        let [entry, changed] = at_once([&|| office.entry(None), &|| office.api.patch(&path, &dollars)]);
        if entry.status == 201 {
            let entry: Value = serde_json::from_str(&entry.text).expect("JSON");
            let company = office.api.get(&path).expect(200);
            assert_eq!(entry["baseCurrency"], company["baseCurrency"], "{changed:?}");
            posted += 1;
        }
        office.server.stop();
    }
    println!("{posted} of {ROUNDS} entries were posted beside a change of the base currency");
}

#[test]
fn a_year_that_is_closed_opens_the_next_one_with_the_survivor_of_a_merge() {
    let mut closed = 0;
    for _ in 0..ROUNDS {
        let Some(office) = Office::open() else { return };
        let [absorbed, survivor] = ["Una SL", "Otra SL"].map(|name| office.api.contact(name));
        office.entry(Some(&absorbed)).expect(201);
        let years = office.api.get(&office.books("/fiscal-years")).expect(200);
        let year = years["items"][0].clone();
        let close = office.books(&format!("/fiscal-years/{}/close", id(&year)));
        let merge = format!("/api/v1/contacts/{survivor}/merge");
        let body = json!({ "mergedId": absorbed });
        let replies = at_once([&|| office.api.post(&close, &json!({})), &|| office.api.post(&merge, &body)]);
        closed += usize::from(replies.iter().all(|reply| reply.status == 200));
        let named = office.books(&format!("/journal-lines?contactId={absorbed}"));
        if replies[1].status == 200 {
            assert_eq!(office.api.get(&named).expect(200)["total"], 0, "{replies:?}");
        }
        let sound = office.api.get(&office.books("/verification")).expect(200);
        assert_eq!(sound["holds"], true, "{sound}");
        office.server.stop();
    }
    assert!(closed > 0, "no year was closed beside a merge");
}

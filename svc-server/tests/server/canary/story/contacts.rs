//! Contacts: every personal member, right and wrong.

use serde_json::{Value, json};

use super::Story;
use crate::harness::{Api, Server};

impl Story<'_> {
    /// A whole person.
    fn person(&self) -> Value {
        let text = |what| self.canaries.personal(what);
        let address = json!({
            "line1": text("street"), "postalCode": text("postal code"), "city": text("city"), "country": "GB",
        });
        json!({
            "kind": "person",
            "givenName": text("given name"),
            "familyName": text("family name"),
            "taxIdType": "nif",
            "taxId": text("tax id"),
            "email": text("e-mail"),
            "phone": text("phone"),
            "mobile": text("mobile"),
            "dateOfBirth": text("date of birth"),
            "address": address,
            "shippingAddress": address,
            "iban": text("iban"),
            "notes": text("notes"),
            "metadata": {"note": text("metadata")},
        })
    }

    /// Creates, changes, lists, merges and blanks contacts, and tries what must fail.
    pub(super) fn contacts(&mut self, api: &Api) {
        let (person, text) = (self.person(), |what: &str| self.canaries.personal(what).to_owned());
        let made = api.post("/api/v1/contacts", &person).expect(201);
        let id = made["id"].as_str().expect("an id").to_owned();
        let one = format!("/api/v1/contacts/{id}");
        assert_eq!(api.get(&one).expect(200)["taxId"], text("tax id"), "the texts are valid");
        api.patch(&one, &json!({"email": text("second e-mail")})).expect(200);
        for query in ["q", "email", "taxId", "tag"] {
            api.get(&format!("/api/v1/contacts?{query}={}", text("query")));
        }
        api.get(&format!("{one}/duplicates")).expect(200);
        let other =
            json!({"kind": "person", "givenName": "Eva", "familyName": "Sol", "email": text("e-mail")});
        let other = api.post("/api/v1/contacts", &other).expect(201);
        let merge = json!({"sourceId": other["id"]});
        api.post(&format!("{one}/merge"), &merge);

        self.refused("a second one with the tax id", api, "POST", "/api/v1/contacts", &person);
        self.wrong_members(api, &one);
        let bulk =
            json!({"items": [person, {"kind": "person", "taxId": text("broken tax id")}, text("misplaced")]});
        let reply = api.post("/api/v1/contacts/bulk", &bulk);
        self.places.add("error body of a bulk request", reply.text);
        let malformed = format!("{{\"email\": \"{}", text("e-mail"));
        let json = [("Content-Type", "application/json")];
        self.places.refusal("cut JSON", &api.call("POST", "/api/v1/contacts", &json, &malformed));
        let double = format!("{{\"notes\": \"{0}\", \"notes\": \"{0}\"}}", text("notes"));
        self.places.refusal("a double member", &api.call("POST", "/api/v1/contacts", &json, &double));
        let plain = [("Content-Type", "text/plain")];
        self.places
            .refusal("another media type", &api.call("POST", "/api/v1/contacts", &plain, &text("notes")));
        let key = [("Content-Type", "application/json"), ("Idempotency-Key", "canary-1")];
        let blank = format!("{one}/anonymize");
        api.call("POST", &blank, &key, "{}");
        self.places.refusal(
            "a key used twice",
            &api.call("POST", "/api/v1/contacts", &key, &self.person().to_string()),
        );
    }

    /// Each member with a value of another type, and with one that breaks its rule.
    fn wrong_members(&mut self, api: &Api, one: &str) {
        let members: Vec<String> = self.person().as_object().expect("members").keys().cloned().collect();
        let text = |what: &str| self.canaries.personal(what).to_owned();
        let misplaced = text("misplaced");
        for name in members {
            for wrong in [
                json!({"deep": [&misplaced]}),
                json!([&misplaced]),
                json!(format!("{misplaced}\u{0}")),
                json!(misplaced.repeat(400)),
            ] {
                let mut body = self.person();
                body["taxId"] = json!(text("second tax id"));
                body[&name] = wrong;
                let reply = api.post("/api/v1/contacts", &body);
                // Some members take long texts; they are stored then, and the next one is a duplicate.
                if reply.status >= 400 {
                    self.places.refusal(&format!("a wrong {name}"), &reply);
                }
            }
        }
        for (name, wrong) in [
            ("address", json!(misplaced)),
            ("metadata", json!(misplaced)),
            ("metadata", json!({"note": {"deep": misplaced}})),
            ("consent", json!(misplaced)),
            ("consent", json!({"marketing": misplaced})),
            ("tags", json!(misplaced)),
            ("paymentTermDays", json!(misplaced)),
            ("equivalenceSurcharge", json!(misplaced)),
            ("parentContactId", json!(misplaced)),
            ("withholdingRate", json!(misplaced)),
            ("language", json!(misplaced)),
            ("currency", json!(misplaced)),
            ("bic", json!(misplaced)),
            ("dateOfBirth", json!(misplaced)),
            ("companyId", json!(misplaced)),
            ("taxId", json!(text("broken tax id"))),
            ("taxId", json!("4*******2")),
            ("iban", json!(text("broken iban"))),
            ("phone", json!(text("broken phone"))),
            ("mobile", json!(text("broken phone"))),
            ("email", json!(text("street"))),
            ("kind", json!(text("unknown choice"))),
            ("roles", json!([text("unknown choice")])),
            ("paymentMethod", json!(text("unknown choice"))),
            ("taxIdType", json!(text("unknown choice"))),
        ] {
            let mut body = self.person();
            body[name] = wrong.clone();
            self.refused(&format!("a broken {name}"), api, "POST", "/api/v1/contacts", &body);
            if name != "kind" && name != "companyId" {
                let mut patch = json!({"taxIdType": "nif"});
                patch[name] = wrong;
                self.refused(&format!("a patch with a broken {name}"), api, "PATCH", one, &patch);
            }
        }
        self.refused("text for a body", api, "POST", "/api/v1/contacts", &json!(misplaced));
        for query in ["page", "limit", "updatedSince", "sort", "status", "companyId", "kind"] {
            let path = format!("/api/v1/contacts?{query}={}", text("query"));
            self.refused(&format!("a broken {query}"), api, "GET", &path, &json!({}));
        }
        let path = format!("/api/v1/contacts/{}", text("path"));
        self.refused("an unknown id", api, "GET", &path, &json!({}));
        self.refused("an unknown path", api, "GET", &format!("/{0}/{0}?{0}={0}", text("path")), &json!({}));
    }

    /// A token that may not see personal data filters by it, and writes masked values back.
    pub(super) fn masked(&mut self, server: &Server, api: &Api) {
        let ana = self.sign_in(server);
        let (_, value) = self.token(&ana, &json!({"personalData": false}));
        let masked = server.api(&value);
        let text = |what: &str| self.canaries.personal(what).to_owned();
        let filter = format!("/api/v1/contacts?taxId={}", text("second tax id"));
        self.refused("a filter by personal data", &masked, "GET", &filter, &json!({}));
        let again = json!({"kind": "person", "givenName": "Luis", "familyName": "Luna", "taxId": text("second tax id"), "allowDuplicate": true});
        let made = api.post("/api/v1/contacts", &again).expect(201);
        let path = format!("/api/v1/contacts/{}", made["id"].as_str().expect("an id"));
        let seen = masked.get(&path);
        assert_eq!(seen.status, 200);
        self.places.add("error of masking: a masked answer", seen.text.clone());
        let seen: Value = serde_json::from_str(&seen.text).expect("JSON");
        let back = json!({"taxId": seen["taxId"]});
        self.refused("a masked value written back", &masked, "PATCH", &path, &back);
        let list = masked.get("/api/v1/contacts?limit=200");
        assert_eq!(list.status, 200);
    }
}

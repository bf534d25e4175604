//! Invitations: a person is named, and answers.

use serde_json::json;

use super::Story;
use crate::harness::{Api, Server};

impl Story<'_> {
    /// Another person, whom the operator adds.
    pub(super) fn guest(&mut self) {
        let (email, name) =
            (self.canaries.personal("guest's e-mail"), self.canaries.personal("name of a guest"));
        let create = ["user", "create", "--email", email, "--name", name, "--password-stdin"];
        let run = self.site.run_with(&self.canaries.secret("guest's password"), &create);
        assert!(run.status.success(), "{run:?}");
        self.places.add("log of user create", run.stderr);
    }

    /// Invites the guest, who declines, and accepts the next time.
    pub(super) fn invitations(&mut self, server: &Server) {
        let ana = self.sign_in(server);
        let guest = self.sign_in_guest(server);
        let company = ana.get("/api/v1/session").expect(200)["companies"][0]["id"].clone();
        let company = company.as_str().expect("an id");
        let members = format!("/api/v1/accounts/{company}/members");
        let text = |what: &str| self.canaries.personal(what).to_owned();
        let (email, unknown, misplaced) = (text("guest's e-mail"), text("unknown e-mail"), text("misplaced"));
        let invitation = json!({"email": email, "role": "manager"});
        for reply in ["decline", "accept"] {
            let invited = ana.post(&members, &invitation).expect(201);
            assert!(invited["name"].is_null() && invited["email"] == email.as_str(), "{invited}");
            let id = invited["id"].as_str().expect("an id").to_owned();
            self.refused("inviting a person twice", &ana, "POST", &members, &invitation);
            let path = format!("/api/v1/session/invitations/{id}/{reply}");
            self.refused("an answer of another person", &ana, "POST", &path, &json!({}));
            guest.get("/api/v1/session/invitations").expect(200);
            let answered = guest.call("POST", &path, &[], "").expect(200);
            assert_eq!(answered["status"], if reply == "accept" { "active" } else { "ended" });
            let again = guest.call("POST", &path, &[], "");
            self.places.refusal(&format!("a second {reply}"), &again);
        }
        // Who has no user is invited by mail as who has one.
        ana.post(&members, &json!({"email": unknown, "role": "manager"})).expect(201);
        for (told, body) in [
            ("inviting no address", json!({"email": misplaced, "role": "manager"})),
            ("inviting into an unknown role", json!({"email": email, "role": misplaced})),
            ("inviting an id of another form", json!({"userId": email, "role": "manager"})),
        ] {
            self.refused(told, &ana, "POST", &members, &body);
        }
        for action in ["member.invite", "member.decline", "member.accept"] {
            let log = ana.get(&format!("/api/v1/audit-log?companyId={company}&action={action}"));
            assert!(log.expect(200)["total"].as_u64() >= Some(1), "{}", log.text);
            self.places.add(format!("log of the company, {action}"), log.text);
        }
    }

    fn sign_in_guest(&self, server: &Server) -> Api {
        let email = self.canaries.personal("guest's e-mail");
        let guest = server.bare().sign_in(email, &self.canaries.secret("guest's password"));
        self.canaries.keep("guest's cookie", guest.carries("Cookie").split_once('=').expect("a value").1);
        self.canaries.keep("guest's csrf token", guest.carries("X-CSRF-Token"));
        guest
    }
}

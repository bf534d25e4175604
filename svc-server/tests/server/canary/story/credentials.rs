//! Credentials that are refused, wherever they stand.

use serde_json::json;

use super::Story;
use crate::harness::{Api, Server};

impl Story<'_> {
    pub(super) fn credentials(&mut self, server: &Server, api: &Api, token: &str) {
        let bare = server.bare();
        let junk = self.canaries.secret("junk token");
        let basic = self.canaries.secret("basic credential");
        let last = if token.ends_with('0') { '1' } else { '0' };
        let broken = format!("{}{last}", &token[..token.len() - 1]);
        self.canaries.keep("token with a broken checksum", &broken);
        for (told, header) in [
            ("a junk token", format!("Bearer {junk}")),
            ("a broken checksum", format!("Bearer {broken}")),
            ("another scheme", format!("Basic {basic}")),
            ("two tokens", format!("Bearer {token} {junk}")),
            ("bytes that are no text", format!("Bearer \u{e9}{junk}")),
        ] {
            let reply = bare.call("GET", "/api/v1/contacts", &[("Authorization", &header)], "");
            assert_eq!(reply.status, 401, "{told}");
            self.places.refusal(told, &reply);
        }
        let second = self.canaries.secret("second credential");
        let twice = [("Authorization", &*format!("Bearer {second}"))];
        self.places.refusal("two headers", &api.call("GET", "/api/v1/contacts", &twice, ""));

        let encoded = token.replace('_', "%5F");
        for (told, path) in [
            ("a token in the query", format!("/api/v1/contacts?q={token}")),
            ("a token as a parameter", format!("/api/v1/contacts?token={junk}")),
            ("a token in the path", format!("/api/v1/contacts/{token}")),
            ("a token on an unknown path", format!("/{token}")),
            ("an encoded token", format!("/api/v1/contacts/{encoded}")),
            ("a token in the documentation", format!("/docs/{token}")),
        ] {
            for who in [api, &bare] {
                assert_eq!(self.refused(told, who, "GET", &path, &json!({})), 400, "{told}");
            }
        }
    }
}

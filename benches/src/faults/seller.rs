//! A company that sells and buys, ready for invoices.

use std::net::SocketAddr;

use serde_json::{Value, json};

use super::Client;

/// A company with tax id and address, and whom it sells to.
pub(crate) struct Seller {
    /// The company.
    pub(crate) company: String,
    /// A contact with tax id and address.
    pub(crate) customer: String,
}

impl Seller {
    /// Completes the company of a token, and adds its customer.
    pub(crate) async fn prepare(server: SocketAddr, token: &str) -> Self {
        let mut client = Client::new(token);
        let who = client.get(server, "/api/v1/auth/whoami").await.expect("answered");
        let company = who.text("primaryAccountId");
        let address =
            json!({"line1": "Calle Mayor 1", "city": "Madrid", "postalCode": "28013", "country": "ES"});
        let own = json!({"taxId": "B12345674", "address": address}).to_string();
        let path = format!("/api/v1/accounts/{company}");
        let changed = client.patch(server, &path, &own).await.expect("answered");
        assert_eq!(changed.status, 200, "{}", String::from_utf8_lossy(&changed.body));
        let customer = json!({"kind": "organization", "legalName": "Ferretería Sur SL", "taxId": "A58818501",
            "address": address});
        let customer = created(&mut client, server, "/api/v1/contacts", &customer).await;
        Self { company, customer }
    }
}

/// Creates something that must be taken; answers its id.
pub(crate) async fn created(client: &mut Client, server: SocketAddr, path: &str, body: &Value) -> String {
    let answer = client.post(server, path, None, &body.to_string()).await.expect("answered");
    assert_eq!(answer.status, 201, "{path}: {}", String::from_utf8_lossy(&answer.body));
    answer.text("id")
}

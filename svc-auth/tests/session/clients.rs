//! Who asks: clients that registered, and clients with a document.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use svc_auth::oauth::{Client, Clients, PageError, UnknownClient};
use svc_auth::token::ClientId;
use svc_core::id::{RegisteredClientId, TypedId as _};
use svc_testkit::fakes::FakeDocuments;

use crate::oauth::Assistant;

const URL: &str = "https://app.example/client.json";

struct Known {
    assistant: Assistant,
    documents: FakeDocuments,
    clients: Clients,
}

impl Known {
    async fn new() -> Self {
        let (assistant, documents) = (Assistant::new().await, FakeDocuments::new());
        let clients = Clients::new(Arc::new(assistant.storage.clone()), Arc::new(documents.clone()));
        Self { assistant, documents, clients }
    }

    fn put(&self, client_id: &str, max_age: Option<u64>) {
        let document = json!({ "client_id": client_id, "client_name": "App", "redirect_uris": ["https://app.example/cb"] });
        self.documents.put(URL, document.to_string(), max_age.map(Duration::from_secs));
    }

    async fn find(&self, id: &str) -> Result<Client, String> {
        let id: ClientId = id.parse().expect("an id");
        self.clients.find(&id, self.assistant.app.now()).await.map_err(|error| match error {
            UnknownClient::Unknown(PageError::UnknownClient(why)) => why,
            other @ (UnknownClient::Unknown(_) | UnknownClient::Store(_)) => panic!("{other:?}"),
        })
    }

    fn pass(&self, seconds: u64) {
        self.assistant.app.clock.advance(Duration::from_secs(seconds));
    }
}

#[tokio::test]
async fn a_registered_client_is_known_and_no_other() {
    let known = Known::new().await;
    let id = known.assistant.client.id.to_string();
    assert_eq!(known.find(&id).await.map(|client| client.name), Ok("Desk".to_owned()));
    let other = RegisteredClientId::generate(known.assistant.app.now(), &known.assistant.app.random);
    assert!(known.find(&other.to_string()).await.is_err_and(|why| why.contains("never registered")));
    assert_eq!(known.documents.reads(), 0);
}

#[tokio::test]
async fn a_document_is_read_once_and_kept_as_long_as_its_server_says() {
    for (max_age, kept) in [(None, 300), (Some(0), 300), (Some(3_600), 3_600), (Some(1_000_000), 86_400)] {
        let known = Known::new().await;
        known.put(URL, max_age);
        let all = join_all((0..20).map(|_| known.find(URL))).await;
        assert!(all.iter().all(|client| client.as_ref().is_ok_and(|client| client.name == "App")));
        known.pass(kept - 1);
        known.find(URL).await.expect("kept");
        assert_eq!(known.documents.reads(), 1, "{max_age:?}");
        known.pass(1);
        known.find(URL).await.expect("read again");
        assert_eq!(known.documents.reads(), 2, "{max_age:?}");
    }
}

#[tokio::test]
async fn a_document_of_another_address_or_none_is_no_client_and_is_asked_for_once_a_minute() {
    let known = Known::new().await;
    assert_eq!(known.find(URL).await.expect_err("none"), format!("{URL}: its server answered 404"));
    known.put("https://evil.example/client.json", None);
    assert!(known.find(URL).await.is_err_and(|why| why.contains("404")), "kept for a minute");
    known.pass(60);
    assert!(known.find(URL).await.is_err_and(|why| why.contains("client_id is not the address")));
    known.documents.put(URL, "<html>", None);
    known.pass(60);
    assert!(known.find(URL).await.is_err_and(|why| why.contains("no client metadata document")));
    assert_eq!(known.documents.reads(), 3);
}

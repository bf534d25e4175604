//! Clients that register themselves.

use svc_auth::oauth::Client;
use svc_auth::token::ClientId;

use super::{Storage, at, client, id, redirect};

async fn register(storage: Storage<'_>, client: &Client) -> Client {
    let unit = storage.begin().await.expect("a unit");
    let registered = unit.clients().register(client).await.expect("registered");
    unit.commit().await.expect("committed");
    registered
}

/// Every member survives the store; a client with a document is none of these.
pub async fn a_client_is_found_as_it_registered(storage: Storage<'_>) {
    let desk = client(1, "Desk · 東京");
    assert_eq!(register(storage, &desk).await, desk);
    assert_eq!(storage.clients().client(&desk.id).await.expect("read"), Some(desk));
    for unknown in [ClientId::Registered(id(404)), "https://app.example/client.json".parse().expect("an id")]
    {
        assert_eq!(storage.clients().client(&unknown).await.expect("read"), None);
    }
}

/// The same name and addresses are the same client, which is known since it came last.
pub async fn a_client_that_registers_again_keeps_its_id(storage: Storage<'_>) {
    let first = register(storage, &client(1, "Desk")).await;
    let again = register(storage, &Client { known_since: at(99), ..client(2, "Desk") }).await;
    assert_eq!(again, Client { known_since: at(99), ..first });
    let others = [
        client(3, "Other"),
        Client { redirects: vec![redirect("a")], ..client(4, "Desk") },
        Client { redirects: vec![redirect("b?c=d"), redirect("a")], ..client(5, "Desk") },
    ];
    for other in others {
        assert_eq!(register(storage, &other).await, other);
    }
}

/// Those that came long ago and were given nothing.
pub async fn clients_without_a_credential_are_forgotten(storage: Storage<'_>) {
    let (old, young) = (client(1, "Old"), Client { known_since: at(20), ..client(2, "Young") });
    for client in [&old, &young] {
        register(storage, client).await;
    }
    let unit = storage.begin().await.expect("a unit");
    assert_eq!(unit.clients().purge_clients(at(20)).await.expect("purged"), 1);
    unit.commit().await.expect("committed");
    assert_eq!(storage.clients().client(&old.id).await.expect("read"), None);
    assert_eq!(storage.clients().client(&young.id).await.expect("read"), Some(young));
}

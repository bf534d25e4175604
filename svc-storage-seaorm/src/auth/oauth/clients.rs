//! Clients that registered themselves.

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DbErr, QueryResult};
use sha2::{Digest as _, Sha256};
use svc_auth::oauth::{Client, RedirectUri};
use svc_auth::ports::{ClientReader, ClientStore};
use svc_auth::token::ClientId;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;

use crate::error::backend;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::value::{broken, from_json, json, parsed};

const COLUMNS: &str = "id, name, redirects, known_since";

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> ClientReader for SeaStore<C> {
    async fn client(&self, id: &ClientId) -> Result<Option<Client>, StoreError> {
        let found = Sql::new(&self.conn, &format!("SELECT {COLUMNS} FROM svc_oauth_clients WHERE id = "))
            .bind(id.to_string())
            .one(&self.conn)
            .await?;
        found.as_ref().map(read).transpose()
    }
}

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> ClientStore for SeaStore<C> {
    async fn register(&self, client: &Client) -> Result<Client, StoreError> {
        let redirects = redirects(client);
        let metadata = Sha256::digest(json(&(&client.name, &redirects))).to_vec();
        let row = [
            client.id.to_string().into(),
            client.name.clone().into(),
            json(&redirects).into(),
            metadata.into(),
            client.known_since.unix_micros().into(),
        ];
        let statement = Sql::new(
            &self.conn,
            "INSERT INTO svc_oauth_clients (id, name, redirects, metadata, known_since)",
        )
        .rows([row])
        .text(&format!(
            " ON CONFLICT (metadata) DO UPDATE SET known_since = excluded.known_since RETURNING {COLUMNS}"
        ));
        let rows = statement.all(&self.conn).await?;
        rows.first().map(read).ok_or_else(|| broken("oauth_clients"))?
    }

    async fn purge_clients(&self, before: Timestamp) -> Result<u64, StoreError> {
        Sql::new(&self.conn, "DELETE FROM svc_oauth_clients WHERE known_since < ")
            .bind(before.unix_micros())
            .text(" AND NOT EXISTS (SELECT 1 FROM svc_tokens WHERE svc_tokens.client_id = svc_oauth_clients.id)")
            .execute(&self.conn)
            .await
    }
}

fn redirects(client: &Client) -> Vec<&str> {
    client.redirects.iter().map(RedirectUri::as_str).collect()
}

fn read(row: &QueryResult) -> Result<Client, StoreError> {
    let columns = || -> Result<(String, String, String, i64), DbErr> {
        Ok((
            row.try_get_by_index(0)?,
            row.try_get_by_index(1)?,
            row.try_get_by_index(2)?,
            row.try_get_by_index(3)?,
        ))
    };
    let (id, name, redirects, known_since) = columns().map_err(backend)?;
    let texts: Vec<String> = from_json("oauth_clients.redirects", &redirects)?;
    let address = |text: &String| RedirectUri::parse(text).map_err(|_| broken("oauth_clients.redirects"));
    Ok(Client {
        id: parsed("oauth_clients.id", &id)?,
        name,
        redirects: texts.iter().map(address).collect::<Result<_, _>>()?,
        known_since: Timestamp::from_unix_micros(known_since),
    })
}

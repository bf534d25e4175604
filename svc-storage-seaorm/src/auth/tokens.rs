//! Tokens as rows.

use std::collections::BTreeMap;

use async_trait::async_trait;
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, Set};
use svc_auth::ports::{TokenReader, TokenStore, Use};
use svc_auth::token::{Fingerprint, Token};
use svc_core::error::StoreError;
use svc_core::id::{TokenId, TypedId, UserId};
use svc_core::page::{Page, PageRequest};
use svc_core::resource::Version;
use svc_core::tenant::Scope;

use super::row::{self, Column, Entity};
use crate::error::{backend, store_error};
use crate::statement::{ROWS, Sql};
use crate::store::SeaStore;
use crate::value::broken;
use crate::window::Window;

const UNIQUE: [(&str, &str, &str); 1] =
    [("svc_tokens_fingerprint", "svc_tokens.digest, svc_tokens.pepper", "fingerprint")];

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> TokenReader for SeaStore<C> {
    async fn find(&self, id: TokenId) -> Result<Option<Token>, StoreError> {
        let row = Entity::find_by_id(id.uuid()).one(&self.conn).await.map_err(backend)?;
        row.map_or(Ok(None), |row| row::bound(&self.sealer, row))
    }

    async fn find_by_fingerprint(&self, candidates: &[Fingerprint]) -> Result<Option<Token>, StoreError> {
        let digests = candidates.iter().map(|candidate| candidate.digest.to_vec());
        let found = Entity::find().filter(Column::Digest.is_in(digests)).all(&self.conn);
        for row in found.await.map_err(backend)? {
            let Some(token) = row::bound(&self.sealer, row)? else { continue };
            if candidates.iter().any(|candidate| candidate.matches(&token.fingerprint)) {
                return Ok(Some(token));
            }
        }
        Ok(None)
    }

    async fn page(&self, scope: &Scope, request: PageRequest) -> Result<Page<Token>, StoreError> {
        let counted = matching(Sql::new(&self.conn, "SELECT count(*)"), scope);
        let total = counted.count(&self.conn).await?;
        let Some(window) = Window::of(request, total) else {
            return Ok(Page { items: Vec::new(), total, request });
        };
        let statement = page(Sql::new(&self.conn, ""), scope, window).statement();
        let mut rows = Entity::find().from_raw_sql(statement).all(&self.conn).await.map_err(backend)?;
        if window.backwards {
            rows.reverse();
        }
        let items = rows.into_iter().map(row::read).collect::<Result<_, _>>()?;
        Ok(Page { items, total, request })
    }

    async fn connections_of(&self, person: UserId, at_most: usize) -> Result<Vec<Token>, StoreError> {
        let found =
            Sql::new(&self.conn, "SELECT * FROM svc_tokens WHERE client_id IS NOT NULL AND created_by = ")
                .bind(person.uuid())
                .text(" AND state <> 2 ORDER BY created_at DESC, id DESC LIMIT ")
                .bind(i64::try_from(at_most).unwrap_or(i64::MAX))
                .statement();
        let rows = Entity::find().from_raw_sql(found).all(&self.conn).await.map_err(backend)?;
        rows.into_iter().map(row::read).collect()
    }

    async fn authority_version(&self) -> Result<Option<i64>, StoreError> {
        let found = Sql::new(&self.conn, "SELECT version FROM svc_authority").one(&self.conn).await?;
        let row = found.ok_or_else(|| broken("authority"))?;
        row.try_get_by_index(0).map(Some).map_err(backend)
    }
}

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> TokenStore for SeaStore<C> {
    async fn insert(&self, token: &Token) -> Result<(), StoreError> {
        let mut new = row::of(&self.sealer, token);
        new.last_used_at = Set(token.last_used_at.map(svc_core::clock::Timestamp::unix_micros));
        new.last_used_from = Set(token.last_used_from.map(|from| from.to_string()));
        let added = Entity::insert(new).exec_without_returning(&self.conn).await;
        added.map_err(|error| store_error(error, &UNIQUE))?;
        self.owe_entry();
        self.move_authority();
        Ok(())
    }

    async fn replace(&self, before: Version, after: &Token) -> Result<(), StoreError> {
        let mut changed = row::of(&self.sealer, after);
        changed.not_set(Column::Id);
        let replaced = Entity::update_many()
            .set(changed)
            .filter(Column::Id.eq(after.id.uuid()))
            .filter(Column::Version.eq(before.as_i64()))
            .exec(&self.conn)
            .await
            .map_err(|error| store_error(error, &UNIQUE))?;
        if replaced.rows_affected == 0 {
            return Err(StoreError::Conflict);
        }
        self.owe_entry();
        self.move_authority();
        Ok(())
    }

    async fn touch(&self, uses: &[Use]) -> Result<(), StoreError> {
        let mut latest: BTreeMap<TokenId, Use> = BTreeMap::new();
        for one in uses {
            let known = latest.entry(one.token).or_insert(*one);
            if known.at < one.at {
                *known = *one;
            }
        }
        let latest: Vec<Use> = latest.into_values().collect();
        for some in latest.chunks(ROWS) {
            self.touch_each(some).await?;
        }
        Ok(())
    }
}

impl<C: ConnectionTrait> SeaStore<C> {
    async fn touch_each(&self, uses: &[Use]) -> Result<(), StoreError> {
        // Rows are locked in one order, so that two nodes with the same tokens never wait in a circle.
        Sql::new(&self.conn, "SELECT id FROM svc_tokens WHERE id")
            .among(uses.iter().map(|one| one.token.uuid()))
            .text(" ORDER BY id")
            .on_postgres(" FOR NO KEY UPDATE")
            .ids(&self.conn)
            .await?;
        let rows = uses.iter().map(|one| {
            let from = one.from.map(|from| from.to_string());
            [one.token.uuid().into(), one.at.unix_micros().into(), from.into()]
        });
        Sql::new(&self.conn, "WITH latest (id, used_at, used_from) AS (")
            .rows(rows)
            .text(
                ") UPDATE svc_tokens SET last_used_at = latest.used_at, last_used_from = latest.used_from \
                 FROM latest WHERE svc_tokens.id = latest.id \
                 AND (svc_tokens.last_used_at IS NULL OR svc_tokens.last_used_at < latest.used_at)",
            )
            .execute(&self.conn)
            .await
            .map(|_| ())
    }
}

/// Whole rows of one page: which ones is read from the index alone.
pub(crate) fn page(sql: Sql, scope: &Scope, window: Window) -> Sql {
    let order =
        if window.backwards { " ORDER BY created_at DESC, id DESC" } else { " ORDER BY created_at, id" };
    sql.text("SELECT * FROM svc_tokens WHERE id")
        .selected(|sql| matching(sql.text("SELECT id"), scope).text(order).window(window))
        .text(order)
}

fn matching(sql: Sql, scope: &Scope) -> Sql {
    sql.text(" FROM svc_tokens WHERE primary_account_id").within(scope)
}

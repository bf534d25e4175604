//! Request budgets as rows: one per company, the arithmetic is [`Windows::draw`].
//!
//! A row keeps the latest minutes and months that were drawn from, each list as
//! a text of `START:USED` with commas between, `START` in Unix seconds, in the
//! order of [`Windows`]. One short row is rewritten with each draw, whichever
//! minute it draws from, and its lock is all that processes need.

use std::fmt::Write as _;

use sea_orm::ConnectionTrait;
use svc_auth::limit::{Limits, Windows};
use svc_auth::ports::{Draw, Drawn};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};

use crate::error::backend;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::value::broken;

impl<C: ConnectionTrait> SeaStore<C> {
    /// What `draw` would be answered; `None` when it would change the stored budget.
    pub(crate) async fn refused(
        &self,
        account: AccountId,
        draw: Draw,
        limits: Limits,
        now: Timestamp,
    ) -> Result<Option<Drawn>, StoreError> {
        let windows = self.windows(account, "").await?.unwrap_or_default();
        let (drawn, after) = windows.draw(draw, limits, now);
        Ok(after.is_none().then_some(drawn))
    }

    /// Draws within a unit of work; the company's row is held to its end.
    pub(crate) async fn draw(
        &self,
        account: AccountId,
        draw: Draw,
        limits: Limits,
        now: Timestamp,
    ) -> Result<Drawn, StoreError> {
        loop {
            let stored = self.windows(account, " FOR UPDATE").await?;
            let known = stored.is_some();
            let (drawn, after) = stored.unwrap_or_default().draw(draw, limits, now);
            let Some(after) = after else { return Ok(drawn) };
            if known {
                self.replace_windows(account, &after).await?;
                return Ok(drawn);
            }
            if self.add_windows(account, &after).await? {
                return Ok(drawn);
            }
            // Another server has drawn the company's first requests meanwhile: that row counts.
        }
    }

    async fn windows(&self, account: AccountId, lock: &str) -> Result<Option<Windows>, StoreError> {
        let columns = "SELECT minutes, months FROM svc_request_budgets WHERE account_id = ";
        let found =
            Sql::new(&self.conn, columns).bind(account.uuid()).on_postgres(lock).one(&self.conn).await?;
        let Some(row) = found else { return Ok(None) };
        let text = |column: usize| row.try_get_by_index::<String>(column).map_err(backend);
        let minutes = counts(&text(0)?).ok_or_else(|| broken("request_budgets.minutes"))?;
        let months = counts(&text(1)?).ok_or_else(|| broken("request_budgets.months"))?;
        Ok(Some(Windows::from_stored(minutes, months)))
    }

    async fn add_windows(&self, account: AccountId, windows: &Windows) -> Result<bool, StoreError> {
        let added = Sql::new(&self.conn, "INSERT INTO svc_request_budgets (account_id, minutes, months)")
            .rows([[account.uuid().into(), text(windows.minutes()).into(), text(windows.months()).into()]])
            .text(" ON CONFLICT (account_id) DO NOTHING");
        Ok(added.execute(&self.conn).await? == 1)
    }

    async fn replace_windows(&self, account: AccountId, windows: &Windows) -> Result<(), StoreError> {
        Sql::new(&self.conn, "UPDATE svc_request_budgets SET minutes = ")
            .bind(text(windows.minutes()))
            .text(", months = ")
            .bind(text(windows.months()))
            .text(" WHERE account_id = ")
            .bind(account.uuid())
            .execute(&self.conn)
            .await
            .map(|_| ())
    }
}

/// `START:USED,START:USED`
fn text(counts: impl Iterator<Item = (Timestamp, u64)>) -> String {
    let mut text = String::new();
    for (from, used) in counts {
        let comma = if text.is_empty() { "" } else { "," };
        write!(text, "{comma}{}:{used}", from.unix_seconds()).expect("a String takes everything");
    }
    text
}

/// The counts in such a text; `None` when it is none.
fn counts(text: &str) -> Option<Vec<(Timestamp, u64)>> {
    let count = |part: &str| {
        let (from, used) = part.split_once(':')?;
        Some((Timestamp::from_unix_seconds(from.parse().ok()?), used.parse().ok()?))
    };
    text.split(',').filter(|part| !part.is_empty()).map(count).collect()
}

//! Request budgets as rows: one per company, the arithmetic is [`Window::draw`].

use sea_orm::ConnectionTrait;
use svc_auth::limit::{Limits, Window};
use svc_auth::ports::{Draw, Drawn};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};

use crate::business::value::broken;
use crate::error::backend;
use crate::statement::Sql;
use crate::store::SeaStore;

impl<C: ConnectionTrait> SeaStore<C> {
    /// What `draw` would be answered; `None` when it would change the stored budget.
    pub(crate) async fn refused(
        &self,
        account: AccountId,
        draw: Draw,
        limits: Limits,
        now: Timestamp,
    ) -> Result<Option<Drawn>, StoreError> {
        let window = self.window(account, "").await?.unwrap_or_else(|| Window::new(now));
        let (drawn, after) = window.draw(draw, limits, now);
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
            let stored = self.window(account, " FOR UPDATE").await?;
            let (drawn, after) = stored.unwrap_or_else(|| Window::new(now)).draw(draw, limits, now);
            let Some(after) = after else { return Ok(drawn) };
            if stored.is_some() {
                self.replace_window(account, &after).await?;
                return Ok(drawn);
            }
            if self.add_window(account, &after).await? {
                return Ok(drawn);
            }
            // Somebody else has drawn the company's first requests meanwhile: that row counts.
        }
    }

    async fn window(&self, account: AccountId, lock: &str) -> Result<Option<Window>, StoreError> {
        let columns =
            "SELECT minute, minute_used, month, month_used FROM request_budgets WHERE account_id = ";
        let found =
            Sql::new(&self.conn, columns).bind(account.uuid()).on_postgres(lock).one(&self.conn).await?;
        let Some(row) = found else { return Ok(None) };
        let number = |column: usize| row.try_get_by_index::<i64>(column).map_err(backend);
        let instant = |column| number(column).map(Timestamp::from_unix_micros);
        let minute_used = u32::try_from(number(1)?).map_err(|_| broken("request_budgets.minute_used"))?;
        let month_used = u64::try_from(number(3)?).map_err(|_| broken("request_budgets.month_used"))?;
        Ok(Some(Window::from_stored((instant(0)?, minute_used), (instant(2)?, month_used))))
    }

    async fn add_window(&self, account: AccountId, window: &Window) -> Result<bool, StoreError> {
        let [minute, minute_used, month, month_used] = columns(window);
        let columns = "INSERT INTO request_budgets (account_id, minute, minute_used, month, month_used)";
        let added = Sql::new(&self.conn, columns)
            .rows([[
                account.uuid().into(),
                minute.into(),
                minute_used.into(),
                month.into(),
                month_used.into(),
            ]])
            .text(" ON CONFLICT (account_id) DO NOTHING");
        Ok(added.execute(&self.conn).await? == 1)
    }

    async fn replace_window(&self, account: AccountId, window: &Window) -> Result<(), StoreError> {
        let [minute, minute_used, month, month_used] = columns(window);
        Sql::new(&self.conn, "UPDATE request_budgets SET minute = ")
            .bind(minute)
            .text(", minute_used = ")
            .bind(minute_used)
            .text(", month = ")
            .bind(month)
            .text(", month_used = ")
            .bind(month_used)
            .text(" WHERE account_id = ")
            .bind(account.uuid())
            .execute(&self.conn)
            .await
            .map(|_| ())
    }
}

fn columns(window: &Window) -> [i64; 4] {
    let ((minute, minute_used), (month, month_used)) = (window.minute(), window.month());
    // A month of more than 2^63 requests is not reached.
    let month_used = i64::try_from(month_used).unwrap_or(i64::MAX);
    [minute.unix_micros(), i64::from(minute_used), month.unix_micros(), month_used]
}

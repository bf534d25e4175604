//! The deliveries of a company hour by hour.
//!
//! An hour is a span of ids, as ids are in the order of time, and the index of a subscription's log gives both: how many
//! lie in a span is counted in the index alone, and the newest of a span are found at its end. Both stop at their limit.

use sea_orm::{ConnectionTrait, QueryResult};
use svc_core::error::StoreError;
use svc_core::id::{DeliveryId, TypedId};
use svc_core::tenant::Scope;
use svc_webhooks::ports::{HourOfDeliveries, HoursRequest, SeenDelivery};

use super::delivery;
use crate::error::backend;
use crate::statement::Sql;
use crate::store::SeaStore;

impl<C: ConnectionTrait> SeaStore<C> {
    /// How the deliveries of the scope's subscriptions went, hour by hour.
    pub(super) async fn hours_of(
        &self,
        scope: &Scope,
        request: HoursRequest,
    ) -> Result<Vec<HourOfDeliveries>, StoreError> {
        let mut hours = vec![HourOfDeliveries::default(); usize::from(request.hours)];
        if hours.is_empty() {
            return Ok(hours);
        }
        for row in counted(Sql::new(&self.conn, ""), scope, request).all(&self.conn).await? {
            let made: i64 = row.try_get_by_index(1).map_err(backend)?;
            if let Some(hour) = hours.get_mut(place(&row)?) {
                hour.made = hour.made.saturating_add(made.unsigned_abs());
                hour.more |= made >= i64::from(request.count);
            }
        }
        for row in newest(Sql::new(&self.conn, ""), scope, request).all(&self.conn).await? {
            let seen = SeenDelivery {
                status: delivery::status(row.try_get_by_index(1).map_err(backend)?)?,
                took: row
                    .try_get_by_index::<Option<i64>>(2)
                    .map_err(backend)?
                    .map(delivery::duration_of)
                    .transpose()?,
            };
            if let Some(hour) = hours.get_mut(place(&row)?) {
                hour.seen.push(seen);
            }
        }
        Ok(hours)
    }
}

/// The number of the hour that a row is of.
fn place(row: &QueryResult) -> Result<usize, StoreError> {
    let place: i64 = row.try_get_by_index(0).map_err(backend)?;
    Ok(usize::try_from(place).unwrap_or(usize::MAX))
}

/// How many deliveries each subscription has in each hour.
fn counted(sql: Sql, scope: &Scope, request: HoursRequest) -> Sql {
    let sql = spans(sql, request)
        .text(
            "SELECT spans.place, (SELECT count(*) FROM (SELECT 1 FROM svc_deliveries AS made \
             WHERE made.subscription_id = own.id AND made.id >= spans.first AND made.id < spans.until LIMIT ",
        )
        .bind(i64::from(request.count))
        .text(") AS few)");
    lanes(sql, scope)
}

/// The newest deliveries of each subscription in each hour, each engine in the form in which it takes the spans in turn.
///
/// PostgreSQL would rather read the primary key backwards and drop what others have, as that gives the order too. Compared
/// and ordered as a row, the two columns are those of one index.
fn newest(sql: Sql, scope: &Scope, request: HoursRequest) -> Sql {
    let look = i64::from(request.look);
    let sql =
        lanes(spans(sql, request).text("SELECT spans.place, made.status, made.last_duration_us"), scope);
    if sql.is_on_postgres() {
        sql.text(
            " CROSS JOIN LATERAL (SELECT status, last_duration_us FROM svc_deliveries AS newest \
             WHERE (newest.subscription_id, newest.id) >= (own.id, spans.first) \
             AND (newest.subscription_id, newest.id) < (own.id, spans.until) \
             ORDER BY newest.subscription_id DESC, newest.id DESC LIMIT ",
        )
        .bind(look)
        .text(") AS made")
    } else {
        sql.text(
            " CROSS JOIN svc_deliveries AS made WHERE made.id IN (SELECT newest.id FROM svc_deliveries AS newest \
             WHERE newest.subscription_id = own.id AND newest.id >= spans.first AND newest.id < spans.until \
             ORDER BY newest.id DESC LIMIT ",
        )
        .bind(look)
        .text(")")
    }
}

/// The hours, as spans of ids.
fn spans(sql: Sql, request: HoursRequest) -> Sql {
    let least = |at| DeliveryId::least(at).uuid();
    let spans = (0_i64..).zip(request.spans());
    let rows = spans.map(|(place, (from, until))| [place.into(), least(from).into(), least(until).into()]);
    sql.text("WITH spans (place, first, until) AS (").rows::<[sea_orm::Value; 3]>(rows).text(") ")
}

/// Each subscription beside each hour.
fn lanes(sql: Sql, scope: &Scope) -> Sql {
    sql.text(" FROM (SELECT id FROM svc_subscriptions WHERE account_id")
        .within(scope)
        .text(") AS own CROSS JOIN spans")
}

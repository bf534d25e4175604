//! Which rows of a list make a page.

use std::num::NonZeroU64;

use sea_orm::sea_query::{Asterisk, Expr, Func};
use sea_orm::{ConnectionTrait, EntityTrait, Order, QueryOrder, QuerySelect, Select};
use svc_core::error::StoreError;
use svc_core::page::PageRequest;

use crate::error::backend;

/// How many rows match.
pub(crate) async fn count<E: EntityTrait>(
    conn: &impl ConnectionTrait,
    matching: Select<E>,
) -> Result<u64, StoreError> {
    let counted = matching.select_only().expr(Func::count(Expr::col(Asterisk)));
    let number: Option<i64> = counted.into_tuple().one(conn).await.map_err(backend)?;
    Ok(u64::try_from(number.unwrap_or(0)).unwrap_or(0))
}

/// Which rows of an ordered list make a page, counted from the nearer end of the list: the cost of
/// skipping is at most half of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) offset: u64,
    pub(crate) limit: NonZeroU64,
    pub(crate) backwards: bool,
}

impl Window {
    /// `None` for a page past the end.
    pub(crate) fn of(request: PageRequest, total: u64) -> Option<Self> {
        let ahead = Self::ahead(request, total)?;
        let left = total - ahead.offset - ahead.limit.get();
        let backwards = left < ahead.offset;
        Some(Self { offset: if backwards { left } else { ahead.offset }, backwards, ..ahead })
    }

    /// The same of a list that goes on behind `total`: counted from its front.
    pub(crate) fn ahead(request: PageRequest, total: u64) -> Option<Self> {
        let offset = request.offset();
        let limit = NonZeroU64::new(total.saturating_sub(offset).min(u64::from(request.limit())))?;
        Some(Self { offset, limit, backwards: false })
    }

    /// Narrows a list in ascending order of `keys` to this window; the caller turns the rows round
    /// where the window was counted from the end.
    pub(crate) fn apply<E: EntityTrait>(
        self,
        list: Select<E>,
        keys: impl IntoIterator<Item = E::Column>,
    ) -> Select<E> {
        let order = if self.backwards { Order::Desc } else { Order::Asc };
        let list = keys.into_iter().fold(list, |list, key| list.order_by(key, order.clone()));
        list.limit(self.limit.get()).offset(self.offset)
    }
}

//! Pages of what matches, in the order asked for.

use std::cmp::Ordering;

use svc_core::page::{Direction, Page, PageRequest, Sort};

/// One page of `items` by `sort`, or by `usual` without one; ties go by `id`.
pub(super) fn page<T, K: Copy, I: Ord>(
    mut items: Vec<T>,
    sort: &Sort<K>,
    usual: K,
    compare: impl Fn(K, &T, &T) -> Ordering,
    id: impl Fn(&T) -> I,
    request: PageRequest,
) -> Page<T> {
    let keys = if sort.0.is_empty() { &[(usual, Direction::Ascending)] } else { sort.0.as_slice() };
    let turn = |order: Ordering, direction| match direction {
        Direction::Ascending => order,
        Direction::Descending => order.reverse(),
    };
    let last = keys.last().map_or(Direction::Ascending, |(_, direction)| *direction);
    items.sort_by(|left, right| {
        keys.iter()
            .map(|(key, direction)| turn(compare(*key, left, right), *direction))
            .find(|order| order.is_ne())
            .unwrap_or_else(|| turn(id(left).cmp(&id(right)), last))
    });
    cut(items, request)
}

/// One page of `items` as they stand.
pub(super) fn cut<T>(items: Vec<T>, request: PageRequest) -> Page<T> {
    let total = u64::try_from(items.len()).unwrap_or(u64::MAX);
    let offset = usize::try_from(request.offset()).unwrap_or(usize::MAX);
    let limit = usize::try_from(request.limit()).unwrap_or(usize::MAX);
    Page { items: items.into_iter().skip(offset).take(limit).collect(), total, request }
}

//! Pages of a list (specification, part 4.3).

use serde::Serialize;
use thiserror::Error;

/// A route's default and maximum page size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRules {
    /// Items per page when the client names no limit.
    pub default: u32,
    /// A larger limit is capped to this one.
    pub max: u32,
}

impl PageRules {
    /// 50 items, at most 200: every list without an entry of its own in the specification.
    pub const USUAL: Self = Self { default: 50, max: 200 };

    /// The page that a client asked for.
    ///
    /// # Errors
    /// A page or limit below 1, or a page whose offset no longer fits.
    pub fn page(self, page: Option<u32>, limit: Option<u32>) -> Result<PageRequest, PageError> {
        let page = page.unwrap_or(1);
        let limit = limit.unwrap_or(self.default).min(self.max);
        if page < 1 {
            return Err(PageError::Page);
        }
        if limit < 1 {
            return Err(PageError::Limit);
        }
        Ok(PageRequest { page, limit })
    }
}

/// A page that cannot be asked for.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum PageError {
    /// `page` is below 1.
    #[error("page starts at 1")]
    Page,
    /// `limit` is below 1.
    #[error("limit is at least 1")]
    Limit,
}

/// One page of a list: `page` counts from 1, `limit` is within the route's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRequest {
    page: u32,
    limit: u32,
}

impl PageRequest {
    /// Which page, from 1.
    #[must_use]
    pub fn page(self) -> u32 {
        self.page
    }

    /// Items per page.
    #[must_use]
    pub fn limit(self) -> u32 {
        self.limit
    }

    /// Items before this page.
    #[must_use]
    pub fn offset(self) -> u64 {
        u64::from(self.page - 1) * u64::from(self.limit)
    }
}

/// The items of one page, and how many there are on all pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// The items, in the order that was asked for.
    pub items: Vec<T>,
    /// Items on all pages.
    pub total: u64,
    /// The page that was asked for.
    pub request: PageRequest,
}

impl<T> Page<T> {
    /// The page of a list that is in memory as a whole, in its order.
    #[must_use]
    pub fn of_all(all: Vec<T>, request: PageRequest) -> Self {
        let total = all.len() as u64;
        let skipped = usize::try_from(request.offset()).unwrap_or(usize::MAX);
        let items = all.into_iter().skip(skipped).take(request.limit as usize).collect();
        Self { items, total, request }
    }

    /// Whether a further page has items.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.request.offset() + u64::from(self.request.limit) < self.total
    }

    /// How many pages there are: none for an empty list.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.total.div_ceil(u64::from(self.request.limit))
    }

    /// The same page with every item turned into something else.
    pub fn map<U>(self, item: impl FnMut(T) -> U) -> Page<U> {
        Page { items: self.items.into_iter().map(item).collect(), total: self.total, request: self.request }
    }
}

/// Direction of one sort key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Smallest first.
    Ascending,
    /// Largest first; a leading `-` in the query.
    Descending,
}

/// The key that a list is sorted by, if not the standard one; the id always breaks ties, in the same direction.
///
/// One key: each has an index that serves it, and no set of indexes serves all combinations of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort<K>(pub Option<(K, Direction)>);

impl<K> Default for Sort<K> {
    fn default() -> Self {
        Self(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_above_the_maximum_is_capped_and_nothing_below_one_passes() {
        let rules = PageRules { default: 50, max: 200 };
        assert_eq!(rules.page(None, Some(9_999)).map(PageRequest::limit), Ok(200));
        assert_eq!(rules.page(Some(0), None), Err(PageError::Page));
        assert_eq!(rules.page(None, Some(0)), Err(PageError::Limit));
        assert_eq!(rules.page(Some(u32::MAX), Some(200)).map(PageRequest::offset), Ok(858_993_458_800));
    }

    #[test]
    fn a_page_of_a_list_in_memory_is_cut_from_it() {
        let cut = |page| Page::of_all((1..=5).collect(), PageRequest { page, limit: 2 });
        assert_eq!((cut(2).items, cut(2).total), (vec![3, 4], 5));
        assert_eq!((cut(3).items, cut(4).items), (vec![5], vec![]));
        assert_eq!(cut(u32::MAX).total, 5);
    }

    #[test]
    fn the_last_page_has_no_more() {
        let request = PageRules::USUAL.page(Some(2), Some(10)).expect("valid");
        let page = Page { items: vec![(); 10], total: 20, request };
        assert!(!page.has_more());
        assert_eq!(page.pages(), 2);
        assert!(Page { total: 21, ..page }.has_more());
    }
}

//! Pages of a list.

use http::Uri;
use svc_core::page::{Page, PageRequest, PageRules};
use svc_http::visit::Form;

use crate::texts::{Texts, filled};

/// Links to the pages beside this one.
pub(crate) struct Pager {
    /// Where this page is among all of them; `None` when there is one.
    pub(crate) told: Option<String>,
    pub(crate) previous: Option<String>,
    pub(crate) next: Option<String>,
}

/// The page that the query asks for; the first one when it asks for none.
pub(crate) fn asked(query: &Form) -> PageRequest {
    let page = query.text("page").parse().ok().filter(|page| *page >= 1);
    PageRules::USUAL.page(page, None).unwrap_or_else(|_| first())
}

fn first() -> PageRequest {
    PageRules::USUAL.page(None, None).expect("the first page of the usual size can be asked for")
}

impl Pager {
    pub(crate) fn of<T>(page: &Page<T>, uri: &Uri, texts: &Texts) -> Self {
        let (at, pages) = (page.request.page(), page.pages());
        let link = |page: u32| linked(uri, page);
        Self {
            told: (pages > 1).then(|| filled(&filled(texts.frame.page_of, at), pages)),
            previous: (at > 1).then(|| link(at - 1)),
            next: page.has_more().then(|| link(at.saturating_add(1))),
        }
    }
}

/// The same list at another page.
fn linked(uri: &Uri, page: u32) -> String {
    let kept = uri.query().unwrap_or_default().split('&');
    let kept = kept.filter(|pair| !pair.is_empty() && !pair.starts_with("page="));
    let query: Vec<String> = kept.map(str::to_owned).chain([format!("page={page}")]).collect();
    format!("{}?{}", uri.path(), query.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_keeps_the_rest_of_the_query() {
        assert_eq!(linked(&Uri::from_static("/a?status=failed&page=3"), 4), "/a?status=failed&page=4");
        assert_eq!(linked(&Uri::from_static("/a"), 2), "/a?page=2");
    }

    #[test]
    fn what_is_no_page_is_the_first() {
        let page = |query: &str| asked(&Form::read(query.as_bytes()).expect("a query")).page();
        assert_eq!((page("page=3"), page("page=0"), page("page=x"), page("")), (3, 1, 1, 1));
    }
}

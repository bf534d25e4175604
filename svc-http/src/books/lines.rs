//! GET /books/{companyId}/journal-lines

use http::StatusCode;
use svc_business::books::entry::EntryKind;
use svc_business::books::journal::{EntryStatusFilter, JournalLine, LineFilter, LineSort};
use svc_core::id::{AccountId, ContactId, JournalEntryId};
use svc_core::page::{Direction, PageRules, Sort};
use svc_core::wire::Form;
use svc_core::wire_view;

use super::entry_view::{LineView, Names};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::list::Listed;
use crate::problem::Problem;
use crate::query::{Kind, LIMIT, PAGE, Param, UPDATED_SINCE};

/// 100 lines, at most 500 (specification, 4.3).
const PAGES: PageRules = PageRules { default: 100, max: 500 };

const SORT: [(&str, LineSort); 1] = [("date", LineSort::Date)];

pub(super) const PARAMS: [Param; 13] = [
    PAGE,
    LIMIT,
    Param::new(
        "sort",
        Kind::Text,
        "date; `-` in front for descending. Lines of a day by number and position.",
    ),
    Param::new(
        "q",
        Kind::Search,
        "Lines of entries with this text in a description, the reference or the number; of 10,000 entries at most.",
    ),
    Param::new("accountCode", Kind::Text, "Only on this account."),
    Param::new("accountPrefix", Kind::Text, "Only on accounts whose codes begin with these digits."),
    Param::new("contactId", Kind::id::<ContactId>(), "Only with this contact."),
    Param::new("entryId", Kind::id::<JournalEntryId>(), "Only of this entry."),
    Param::new("kind", Kind::OneOf(EntryKind::NAMES), "Only of entries of this kind."),
    Param::new(
        "entryStatus",
        Kind::Text,
        "Only of entries with this status, or those of a comma list; `posted,reversed` when left out.",
    ),
    UPDATED_SINCE,
    Param::new("from", Kind::Date, "Dated on this day or later."),
    Param::new("to", Kind::Date, "Dated on this day or earlier."),
];

wire_view! {
    /// A line of the journal, with what a list shows of its entry.
    #[derive(Debug)]
    pub(crate) struct View as "JournalLine" {
        company_id: AccountId,
        entry_id: JournalEntryId,
        /// Null for a draft.
        entry_number: Option<u64> => Form::ANY.json("null"),
        entry_status: EntryStatusFilter,
        kind: EntryKind,
        date: String => Form::DATE,
        #[serde(flatten)]
        [flat] line: LineView,
    }
}

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let (company, scope) = req.books()?;
    let query = &req.query;
    let (request, sort) = (query.page(PAGES)?, query.sort(&SORT)?);
    let sort = Sort(sort.0.or(Some((LineSort::Date, Direction::Ascending))));
    let (from, to) = query.dates()?;
    let filter = LineFilter {
        companies: vec![company],
        statuses: query.with("entryStatus", statuses)?.unwrap_or_default(),
        account: query.parse("accountCode")?,
        prefix: query.parse("accountPrefix")?,
        contact: query.parse("contactId")?,
        entry: query.parse("entryId")?,
        kind: query.parse("kind")?,
        text: query.text("q")?.map(str::to_owned),
        entries: None,
        updated_since: query.updated_since()?,
        from,
        to,
        moved: None,
    };
    let page = req.app.business.journal().lines(&scope, &filter, &sort, request).await?;
    let names = Names::of(&req, company, page.items.iter().map(|line| line.line.account).collect()).await?;
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, |line| View::of(line, &names))))
}

fn statuses(list: &str) -> Result<Vec<EntryStatusFilter>, String> {
    let read = |name: &str| name.trim().parse::<EntryStatusFilter>().map_err(|error| error.to_string());
    let mut statuses = list.split(',').map(read).collect::<Result<Vec<_>, _>>()?;
    statuses.sort_unstable();
    statuses.dedup();
    Ok(statuses)
}

impl View {
    fn of(line: &JournalLine, names: &Names) -> Self {
        Self {
            company_id: line.company,
            entry_id: line.entry,
            entry_number: line.number,
            entry_status: line.status,
            kind: line.kind,
            date: line.date.to_string(),
            line: LineView::of(usize::try_from(line.position).unwrap_or(usize::MAX), &line.line, names),
        }
    }
}

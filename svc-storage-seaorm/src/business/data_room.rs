//! Data rooms as rows: entries, their views, and the places of sections.

mod grant;

use async_trait::async_trait;
use sea_orm::QueryResult;
use svc_business::document::room::{
    DataRoomFile, DataRoomFilter, DataRoomReader, DataRoomSort, DataRoomStore, DataRoomView, MOST_VIEWS,
    Section, ViewChannel, Viewer,
};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, DataRoomFileId, DataRoomGrantId, TokenId, TypedId, UserId};
use svc_core::page::{Page, PageRequest};
use svc_core::tenant::Scope;

use super::cell::{Cell, Stored, named};
use super::file::TABLE as FILES;
use super::record::{Count, FEW, Reference, Row, columns};
use crate::statement::{Insertion, Sql};
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::value::broken;
use crate::window::Window;

impl Row for DataRoomFile {
    const TABLE: &'static str = "svc_data_room_files";
    const REFERENCES: &'static [Reference] = &[Reference::once("file_id", FILES)];
    const LOGS: &'static [(&'static str, &'static str)] = &[("svc_data_room_views", "entry_id")];

    columns! {
        {
            id: "id",
            company: "company_id",
            file: "file_id",
            file_version: "file_version",
            section: "section",
            place: "place",
            title: "title",
            watermark: "watermark",
            downloadable: "downloadable",
            expires_at: "expires_at",
            added_by: "added_by",
            views: "views",
            extension: "external_id" | "metadata",
            version: "version",
            created_at: "created_at",
            updated_at: "updated_at",
        }
        children {  }
        derived { "index_key" = index_key }
    }

    fn companies(filter: &DataRoomFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, filter: &DataRoomFilter) -> Sql {
        let sql = sql
            .and(" AND file_id = ", filter.file.map(TypedId::uuid))
            .and(" AND external_id = ", filter.external_id.as_deref())
            .and(" AND updated_at >= ", filter.updated_since.map(Timestamp::unix_micros));
        match &filter.section {
            Some(section) => {
                let (from, behind) = span(section);
                sql.text(" AND index_key >= ").bind(from).text(" AND index_key < ").bind(behind)
            }
            None => sql,
        }
    }

    fn count(filter: &DataRoomFilter) -> Count<'_, DataRoomFilter> {
        let DataRoomFilter { companies, updated_since, .. } = filter.clone();
        let plain = DataRoomFilter { companies, ..DataRoomFilter::default() };
        let changed = DataRoomFilter { updated_since, ..plain.clone() };
        Count::of(filter, plain.clone(), [&plain, &plain, &changed], (None, updated_since))
    }

    fn is_narrow(filter: &DataRoomFilter, total: u64) -> bool {
        let some = filter.section.is_some() || filter.updated_since.is_some();
        filter.file.is_some() || filter.external_id.is_some() || (some && total <= FEW)
    }

    fn sort_column(key: DataRoomSort) -> &'static str {
        match key {
            DataRoomSort::Index => "index_key",
            DataRoomSort::UpdatedAt => "updated_at",
        }
    }
}

named!(ViewChannel: name);

impl Stored for Section {
    type Sql = String;

    fn to_sql(&self) -> String {
        self.as_str().to_owned()
    }

    fn from_sql(sql: String) -> Option<Self> {
        Some(Self::from_stored(sql))
    }
}

fn index_key(entry: &DataRoomFile) -> String {
    entry.section.key_of(entry.place)
}

/// The first key of a section and of what is below it, and the first one behind them: the character after a tab is in none.
fn span(section: &Section) -> (String, String) {
    let from = section.key();
    let behind = format!("{}\n", from.trim_end_matches('\t'));
    (from, behind)
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> DataRoomReader for SeaStore<C> {
    async fn views(
        &self,
        scope: &Scope,
        id: DataRoomFileId,
        request: PageRequest,
    ) -> Result<Option<Page<DataRoomView>>, StoreError> {
        let found = self.sql("SELECT company_id, views FROM svc_data_room_files WHERE ");
        let found = DataRoomFile::within(found, scope, &[]).text(" AND id = ").bind(id.uuid());
        let found = self.rows(found).await?;
        let Some(entry) = found.first() else { return Ok(None) };
        let (company, views): (AccountId, u32) =
            (Cell::take(entry, "company_id")?, Cell::take(entry, "views")?);
        let total = u64::from(views.min(MOST_VIEWS));
        let Some(window) = Window::of(request, total) else {
            return Ok(Some(Page { items: Vec::new(), total, request }));
        };
        // Numbers have no gaps: a page is a span of them, counted from the latest one.
        let last = i64::from(views).saturating_sub(i64::try_from(request.offset()).unwrap_or(i64::MAX));
        let before = last.saturating_sub(i64::try_from(window.limit.get()).unwrap_or(i64::MAX));
        let page = self
            .sql(
                "SELECT v.number, v.at, v.channel, v.token_id, v.user_id, v.grant_id, g.email FROM svc_data_room_views AS v \
                 LEFT JOIN svc_data_room_grants AS g ON g.company_id = v.company_id AND g.id = v.grant_id \
                 WHERE v.company_id = ",
            )
            .bind(company.uuid())
            .text(" AND v.entry_id = ")
            .bind(id.uuid())
            .text(" AND v.number > ")
            .bind(before)
            .text(" AND v.number <= ")
            .bind(last)
            .text(" ORDER BY v.number DESC");
        let items = self.rows(page).await?.iter().map(view).collect::<Result<_, _>>()?;
        Ok(Some(Page { items, total, request }))
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> DataRoomStore for SeaStore<C> {
    async fn next_place(&self, company: AccountId, section: &Section) -> Result<u32, StoreError> {
        let key = section.key();
        // Behind those that came with another company, too: ` ` stands behind the key of the section itself, `!` follows it.
        let had = self.sql("SELECT place FROM svc_data_room_files WHERE company_id = ").bind(company.uuid());
        let had = had.text(" AND index_key >= ").bind(format!("{key} "));
        let had = had.text(" AND index_key < ").bind(format!("{key}!"));
        let had = had.text(" ORDER BY index_key DESC LIMIT 1").one(&self.conn).await?;
        let had: u32 = had.map_or(Ok(0), |row| Cell::take(&row, "place"))?;
        let next = self
            .sql("INSERT INTO svc_data_room_sections (account_id, section_key, last) VALUES (")
            .bind(company.uuid())
            .text(", ")
            .bind(key)
            .text(", ")
            .bind(i64::from(had).saturating_add(1))
            .text(
                ") ON CONFLICT (account_id, section_key) DO UPDATE SET last = CASE WHEN \
                 svc_data_room_sections.last < excluded.last THEN excluded.last \
                 ELSE svc_data_room_sections.last + 1 END RETURNING last",
            );
        let row = next.one(&self.conn).await?.ok_or_else(|| broken("data_room_sections.last"))?;
        Cell::take(&row, "last")
    }

    async fn view(
        &self,
        entry: &DataRoomFile,
        at: Timestamp,
        viewer: Viewer,
    ) -> Result<Option<u32>, StoreError> {
        let counted = self.sql("UPDATE svc_data_room_files SET views = views + 1 WHERE company_id = ");
        let counted = counted.bind(entry.company.uuid()).text(" AND id = ").bind(entry.id.uuid());
        let Some(row) = counted.text(" RETURNING views").one(&self.conn).await? else { return Ok(None) };
        let number: u32 = Cell::take(&row, "views")?;
        if let Some(oldest) = number.checked_sub(MOST_VIEWS).filter(|oldest| *oldest > 0) {
            let old = self.sql("DELETE FROM svc_data_room_views WHERE company_id = ");
            let old = old.bind(entry.company.uuid()).text(" AND entry_id = ").bind(entry.id.uuid());
            old.text(" AND number <= ").bind(i64::from(oldest)).execute(&self.conn).await?;
        }
        let (token, user, grant) = match viewer {
            Viewer::Token(token) => (Some(token), None, None),
            Viewer::Person(user) => (None, Some(user), None),
            Viewer::Guest(grant) => (None, None, Some(grant)),
            Viewer::Service => (None, None, None),
        };
        let into = "INSERT INTO svc_data_room_views (company_id, entry_id, number, at, channel, token_id, user_id, grant_id)";
        let row = vec![
            entry.company.put(),
            entry.id.put(),
            number.put(),
            at.put(),
            viewer.channel().put(),
            token.put(),
            user.put(),
            grant.put(),
        ];
        let insertion = Insertion::of_rows(into.to_owned(), vec![row]);
        self.conn.defer(insertion).await.map_err(crate::error::backend)?;
        Ok(Some(number))
    }
}

fn view(row: &QueryResult) -> Result<DataRoomView, StoreError> {
    let ids: (Option<TokenId>, Option<UserId>, Option<DataRoomGrantId>) =
        (Cell::take(row, "token_id")?, Cell::take(row, "user_id")?, Cell::take(row, "grant_id")?);
    let viewer = match (Cell::take(row, "channel")?, ids) {
        (ViewChannel::Api, (Some(token), None, None)) => Viewer::Token(token),
        (ViewChannel::ClientArea, (None, Some(user), None)) => Viewer::Person(user),
        (ViewChannel::Guest, (None, None, Some(grant))) => Viewer::Guest(grant),
        (ViewChannel::Service, (None, None, None)) => Viewer::Service,
        _ => return Err(broken("data_room_views.channel")),
    };
    let (number, at) = (Cell::take(row, "number")?, Cell::take(row, "at")?);
    Ok(DataRoomView { number, at, viewer, guest: Cell::take(row, "email")? })
}

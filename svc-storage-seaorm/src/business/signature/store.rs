//! What is asked of envelopes beside lists of them: links, trails, signatures, and what is due.

use async_trait::async_trait;
use sea_orm::QueryResult;
use svc_business::signature::key::LinkHash;
use svc_business::signature::{Envelope, EnvelopeReader, EnvelopeStore, Ink};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, EnvelopeId, SignerId, TypedId};
use svc_core::tenant::Scope;
use svc_core::trail::{Entry, Link};

use crate::business::cell::{Cell, Stored};
use crate::business::record::Row;
use crate::error::backend;
use crate::statement::Insertion;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::value::from_json;

#[async_trait]
impl<C: DeferInsert + Send + Sync> EnvelopeReader for SeaStore<C> {
    async fn of_link(&self, link: &LinkHash) -> Result<Option<(AccountId, EnvelopeId)>, StoreError> {
        let found = self.sql("SELECT company_id, envelope_id FROM svc_envelope_signers WHERE link_hash = ");
        let rows = self.rows(found.bind(link.to_sql())).await?;
        let ids = |row: &QueryResult| Ok((Cell::take(row, "company_id")?, Cell::take(row, "envelope_id")?));
        rows.first().map(ids).transpose()
    }

    async fn trail(&self, scope: &Scope, id: EnvelopeId) -> Result<Option<Vec<Link>>, StoreError> {
        let found = Envelope::within(self.sql("SELECT company_id FROM svc_envelopes WHERE "), scope, &[]);
        let found = self.rows(found.text(" AND id = ").bind(id.uuid())).await?;
        let Some(envelope) = found.first() else { return Ok(None) };
        let company: AccountId = Cell::take(envelope, "company_id")?;
        let entries = self.sql(
            "SELECT at, actor, action, ip, user_agent, details, previous_hash, hash FROM svc_envelope_trail \
             WHERE company_id = ",
        );
        let entries = entries.bind(company.uuid()).text(" AND envelope_id = ").bind(id.uuid());
        let rows = self.rows(entries.text(" ORDER BY position")).await?;
        rows.iter().map(link).collect::<Result<_, _>>().map(Some)
    }

    async fn inks(&self, company: AccountId, id: EnvelopeId) -> Result<Vec<(SignerId, Ink)>, StoreError> {
        let found = self.sql("SELECT signer_id, ink FROM svc_envelope_inks WHERE company_id = ");
        let found = found.bind(company.uuid()).text(" AND envelope_id = ").bind(id.uuid());
        let rows = self.rows(found.text(" ORDER BY at, signer_id")).await?;
        let ink = |row: &QueryResult| {
            let text: String = Cell::take(row, "ink")?;
            Ok((Cell::take(row, "signer_id")?, from_json("envelope_inks.ink", &text)?))
        };
        rows.iter().map(ink).collect()
    }

    async fn expiring(
        &self,
        company: AccountId,
        at: Timestamp,
        limit: u32,
    ) -> Result<Vec<EnvelopeId>, StoreError> {
        let found = self.sql("SELECT id FROM svc_envelopes WHERE company_id = ").bind(company.uuid());
        let found = found.text(" AND status = 1 AND expires_key <= ").bind(at.to_sql());
        let found = found.text(" ORDER BY expires_key LIMIT ").bind(i64::from(limit));
        self.rows(found).await?.iter().map(|row| Cell::take(row, "id")).collect()
    }

    async fn reminding(
        &self,
        company: AccountId,
        at: Timestamp,
        limit: u32,
    ) -> Result<Vec<EnvelopeId>, StoreError> {
        let found = self.sql("SELECT id FROM svc_envelopes WHERE company_id = ").bind(company.uuid());
        let found = found.text(" AND remind_at IS NOT NULL AND remind_at <= ").bind(at.to_sql());
        let found = found.text(" ORDER BY remind_at LIMIT ").bind(i64::from(limit));
        self.rows(found).await?.iter().map(|row| Cell::take(row, "id")).collect()
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> EnvelopeStore for SeaStore<C> {
    async fn append(&self, envelope: &Envelope, entries: &[Link]) -> Result<(), StoreError> {
        if entries.is_empty() {
            return Ok(());
        }
        let into = "INSERT INTO svc_envelope_trail (company_id, envelope_id, position, at, actor, action, ip, user_agent, \
                    details, previous_hash, hash)";
        let new = u32::try_from(entries.len()).map_err(StoreError::backend)?;
        let first = envelope.trail.entries.saturating_sub(new);
        let rows = (first..).zip(entries).map(|(position, Link { entry, previous_hash, hash })| {
            let Entry { at, actor, action, ip, user_agent, details } = entry;
            let place = [envelope.company.put(), envelope.id.put(), position.put(), at.put()];
            let texts = [actor.put(), action.put(), ip.put(), user_agent.put(), details.put()];
            place.into_iter().chain(texts).chain([previous_hash.put(), hash.put()]).collect()
        });
        self.conn.defer(Insertion::of_rows(into.to_owned(), rows.collect())).await.map_err(backend)
    }

    async fn keep_ink(&self, envelope: &Envelope, signer: SignerId, ink: &Ink) -> Result<(), StoreError> {
        let into = "INSERT INTO svc_envelope_inks (company_id, envelope_id, signer_id, at, ink)";
        let at = envelope.updated_at;
        let row =
            vec![envelope.company.put(), envelope.id.put(), signer.put(), at.put(), ink.to_json().put()];
        self.conn.defer(Insertion::of_rows(into.to_owned(), vec![row])).await.map_err(backend)
    }
}

fn link(row: &QueryResult) -> Result<Link, StoreError> {
    Ok(Link {
        entry: Entry {
            at: Cell::take(row, "at")?,
            actor: Cell::take(row, "actor")?,
            action: Cell::take(row, "action")?,
            ip: Cell::take(row, "ip")?,
            user_agent: Cell::take(row, "user_agent")?,
            details: Cell::take(row, "details")?,
        },
        previous_hash: Cell::take(row, "previous_hash")?,
        hash: Cell::take(row, "hash")?,
    })
}

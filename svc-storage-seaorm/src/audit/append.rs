//! Numbering, sealing and adding records.

use std::collections::BTreeMap;

use svc_core::audit::{ChainKeys, Entry, Head, Record};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};

use super::row::{self, COLUMNS, stored_number};
use crate::error::backend;
use crate::statement::{ROWS, Sql};
use crate::store::SeaStore;
use crate::transaction::Transaction;

const HEADS: &str = "INSERT INTO svc_audit_heads (account_id, number, seal_key, seal)";

impl SeaStore<Transaction> {
    /// Adds entries to the chains of their companies; nothing else may be locked after this.
    pub(crate) async fn append(&self, keys: &ChainKeys, entries: Vec<Entry>) -> Result<(), StoreError> {
        if entries.is_empty() {
            return Ok(());
        }
        let mut of: BTreeMap<AccountId, Vec<Entry>> = BTreeMap::new();
        for entry in entries {
            of.entry(entry.account).or_default().push(entry);
        }
        let mut heads = self.hold_heads(of.keys().copied().collect()).await?;
        let mut records: Vec<Record> = Vec::new();
        for (account, entries) in of {
            let mut head = heads.remove(&account);
            for entry in entries {
                let record = keys.seal(head, entry);
                head = Some(Head { number: record.number, seal: record.seal });
                records.push(record);
            }
            heads.extend(head.map(|head| (account, head)));
        }
        for some in records.chunks(ROWS) {
            Sql::new(&self.conn, &format!("INSERT INTO svc_audit_records ({COLUMNS})"))
                .rows(some.iter().map(row::values))
                .execute(&self.conn)
                .await?;
        }
        self.move_heads(heads.into_iter().collect()).await
    }

    /// The newest records of these companies, held to the end of the unit; none for a company without.
    async fn hold_heads(&self, accounts: Vec<AccountId>) -> Result<BTreeMap<AccountId, Head>, StoreError> {
        let mut heads = BTreeMap::new();
        for some in accounts.chunks(ROWS) {
            // A company's first unit of all needs a row to hold.
            let none = some
                .iter()
                .map(|account| [account.uuid().into(), 0_i64.into(), 0_i64.into(), Vec::<u8>::new().into()]);
            let added = Sql::new(&self.conn, HEADS).rows(none).text(" ON CONFLICT (account_id) DO NOTHING");
            added.execute(&self.conn).await?;
            let held = Sql::new(&self.conn, "SELECT account_id, number, seal_key, seal FROM svc_audit_heads")
                .text(" WHERE account_id")
                .among(some.iter().map(|account| account.uuid()))
                .text(" ORDER BY account_id")
                .on_postgres(" FOR UPDATE")
                .all(&self.conn)
                .await?;
            for row in &held {
                let number: i64 = row.try_get_by_index(1).map_err(backend)?;
                if number != 0 {
                    let account = AccountId::from_uuid(row.try_get_by_index(0).map_err(backend)?);
                    heads.insert(account, row::read_head(row).map_err(StoreError::backend)?);
                }
            }
        }
        Ok(heads)
    }

    async fn move_heads(&self, heads: Vec<(AccountId, Head)>) -> Result<(), StoreError> {
        for some in heads.chunks(ROWS) {
            let rows = some.iter().map(|(account, head)| {
                let number = stored_number(head.number);
                let key = i64::from(head.seal.key);
                [account.uuid().into(), number.into(), key.into(), head.seal.code.to_vec().into()]
            });
            Sql::new(&self.conn, HEADS)
                .rows(rows)
                .text(
                    " ON CONFLICT (account_id) DO UPDATE \
                     SET number = excluded.number, seal_key = excluded.seal_key, seal = excluded.seal",
                )
                .execute(&self.conn)
                .await?;
        }
        Ok(())
    }
}

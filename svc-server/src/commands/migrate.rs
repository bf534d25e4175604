//! `migrate`: brings the schema up to date.

use clap::Args;
use serde_json::json;

use crate::commands::Context;
use crate::config::Settings;
use crate::failure::Failure;
use crate::store::{OUTDATED, Schema, Store};

/// `migrate`
#[derive(Args, Debug)]
#[command(
    after_help = "`serve` and `bootstrap` do the same by themselves.\n\nExample:\n  svc-server migrate \
                        --database-url postgres://svc:secret@db/svc"
)]
pub(crate) struct Migrate {}

impl Migrate {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let settings = context.settings(Vec::new())?;
        let applied = match Store::open_reporting(&settings, Schema::Migrate).await {
            Ok((store, applied)) => {
                store.close().await;
                applied
            }
            Err(taken) if taken.is_in_use() => {
                beside(&settings).await?;
                Vec::new()
            }
            Err(failure) => return Err(failure),
        };
        context.output.either(&json!({"applied": applied}), || match applied.as_slice() {
            [] => "the schema is up to date".to_owned(),
            names => names.iter().map(|name| format!("applied {name}")).collect::<Vec<_>>().join("\n"),
        });
        Ok(())
    }
}

/// Looks whether a database that another process has lacks anything.
async fn beside(settings: &Settings) -> Result<(), Failure> {
    match Store::look(settings).await {
        Ok(store) => {
            store.close().await;
            Ok(())
        }
        Err(failure) if failure.code() == OUTDATED => Err(failure.hint(
            "another process has the database: stop it, and run this again or `svc-server serve` of this version",
        )),
        Err(failure) => Err(failure),
    }
}

//! `migrate`: brings the schema up to date.

use clap::Args;
use serde_json::json;

use crate::commands::Context;
use crate::failure::Failure;
use crate::store::{self, Schema};

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
        let (store, applied) = store::Store::open_reporting(&settings, Schema::Migrate).await?;
        store.close().await;
        context.output.either(&json!({"applied": applied}), || match applied.as_slice() {
            [] => "the schema is up to date".to_owned(),
            names => names.iter().map(|name| format!("applied {name}")).collect::<Vec<_>>().join("\n"),
        });
        Ok(())
    }
}

//! `openapi`: the description of the API, for machines.

use clap::Args;
use svc_business::catalogue;

use crate::commands::Context;
use crate::config::sources::Flag;
use crate::failure::Failure;
use crate::output;

/// `openapi`
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  svc-server openapi > openapi.json")]
pub(crate) struct Openapi {
    /// Base of the server URL in the document
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
}

impl Openapi {
    pub(crate) fn run(self, context: &Context) -> Result<(), Failure> {
        let flag = self.public_url.map(|value| Flag { name: "--public-url", key: "public_url", value });
        let settings = context.settings(Vec::from_iter(flag))?;
        let document = svc_http::openapi(&settings.public_url(settings.listen), &catalogue::events());
        let text = serde_json::to_string_pretty(&document).expect("a JSON value is written as JSON");
        output::line(text);
        Ok(())
    }
}

//! POST /secret-scanning/reports

use http::StatusCode;
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use svc_auth::token::{Exposure, report_exposed};
use svc_core::audit::Actor;
use svc_core::hex::Hex;
use svc_core::id::TokenId;
use svc_core::pii::PiiAccess;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use svc_core::wire::{Described, Form, Parts};
use svc_core::{wire_names, wire_view};

use super::report::{Body, Report};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::Reporter;
use crate::problem::Problem;

/// What each reported text is, in the order of the report.
#[derive(Serialize)]
pub(crate) struct Verdicts(Vec<Verdict>);

impl Described for Verdicts {
    fn schema(parts: &mut Parts) -> Value {
        parts.named::<Self>("SecretVerdicts", |parts| {
            let about = "What each reported text is, in the order of the report.";
            json!({ "type": "array", "description": about, "items": Verdict::schema(parts) })
        })
    }
}

wire_view! {
    /// What a reported text is.
    struct Verdict as "SecretVerdict" {
        /// SHA-256 of the text, in hexadecimal: the text itself does not come back.
        token_hash: String => Form::pattern("^[0-9a-f]{64}$")
            .example("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
        /// The `type` of the report.
        token_type: Option<String> => Form::ANY.example("svc_token"),
        /// Whether the text is a token of this service, working or not.
        label: Label,
    }
}

/// Whether the text is a token of this service, working or not.
#[derive(Clone, Copy)]
enum Label {
    /// It is, and does not work any more.
    TruePositive,
    /// It is none.
    FalsePositive,
}

wire_names!(Label { TruePositive = "true_positive", FalsePositive = "false_positive" });

pub(super) async fn judge(req: ApiRequest<Reporter>) -> Result<Answer, Problem> {
    let reports = req.json::<Body>()?.reports()?;
    let app = &req.app;
    let actor =
        Actor { from: req.from, request: Some(req.context.request), ..Actor::service("secret scanning") };
    let scope = every_company();
    let (now, random) = (req.context.now, &*app.random);
    let call = CallContext { scope: &scope, access: PiiAccess::Masked, actor: &actor, now, random };
    let unit = app.auth.begin().await?;
    let (mut verdicts, mut revoked) = (Vec::with_capacity(reports.len()), Vec::new());
    for report in reports {
        let exposure =
            report_exposed(unit.as_ref(), call, &report.token, &app.peppers, &report.place()).await?;
        let label = match exposure {
            Exposure::Revoked(token) => {
                revoked.push(token.id);
                Label::TruePositive
            }
            Exposure::AlreadyDead(_) => Label::TruePositive,
            Exposure::NotOurs => Label::FalsePositive,
        };
        verdicts.push(Verdict::of(report, label));
    }
    let committed = unit.commit().await;
    app.authenticator.forget();
    committed?;
    tell(&revoked);
    Ok(Answer::plain(StatusCode::OK, &Verdicts(verdicts)))
}

#[expect(clippy::disallowed_methods, reason = "a token that is found in public is revoked whosoever it is")]
fn every_company() -> Scope {
    Scope::system("secret scanning")
}

/// Operators want to know: they will be asked why the integration stopped.
fn tell(revoked: &[TokenId]) {
    for token in revoked {
        tracing::warn!(%token, "a token was found in public and revoked");
    }
}

impl Verdict {
    fn of(report: Report, label: Label) -> Self {
        let token_hash = Hex(&Sha256::digest(report.token.as_bytes())).to_string();
        Self { token_hash, token_type: report.r#type, label }
    }
}

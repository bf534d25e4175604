//! The routes of `/books/{companyId}/fixed-assets`.

use http::StatusCode;
use svc_business::books::asset::{DepreciationRunRequest, DisposeRequest, FixedAssetInput};
use svc_business::catalogue::permission;

use super::asset_plan::PlanView;
use super::asset_run::RunView;
use super::asset_view::View;
use super::assets;
use crate::api::{self, Route, delete, patch, post};
use crate::gate::ByToken;
use crate::json::{Create, Update};
use crate::list::Listed;

const READ: ByToken = ByToken::With(permission("accounting:fixed_assets.read"));
const CREATE: ByToken = ByToken::With(permission("accounting:fixed_assets.create"));
const UPDATE: ByToken = ByToken::With(permission("accounting:fixed_assets.update"));

const ALL: &str = "/books/{companyId}/fixed-assets";
const ONE: &str = "/books/{companyId}/fixed-assets/{id}";

pub(super) fn routes() -> Vec<Route> {
    records().into_iter().chain(actions()).collect()
}

fn records() -> [Route; 6] {
    [
        api::get(ALL, READ, "List fixed assets")
            .params(&assets::PARAMS)
            .answers::<Listed<View>>(StatusCode::OK)
            .to(assets::list),
        post(ALL, CREATE, "Add a fixed asset")
            .about("A draft; with `activate` it is put to use at once. Its class gives accounts, method and life.")
            .body::<Create<FixedAssetInput>>()
            .creates::<View>()
            .to(assets::create),
        api::get(ONE, READ, "Get a fixed asset").answers::<View>(StatusCode::OK).versioned().to(assets::get),
        patch(ONE, UPDATE, "Change a fixed asset")
            .about(
                "Once it is active, only `name`, `code`, `residualValue`, `usefulLifeMonths`, `externalId` and \
                 `metadata` change, and what the journal does not have yet is planned anew.",
            )
            .body::<Update<FixedAssetInput>>()
            .answers::<View>(StatusCode::OK)
            .versioned()
            .to(assets::update),
        delete(ONE, UPDATE, "Erase a draft of a fixed asset")
            .about("Emits nothing: the catalogue has no such event.")
            .answers_nothing()
            .versioned()
            .to(assets::delete),
        api::get("/books/{companyId}/fixed-assets/{id}/plan", READ, "Plan by which a fixed asset loses value")
            .about("Every instalment, with the entry of those that the journal has.")
            .answers::<PlanView>(StatusCode::OK)
            .to(assets::plan),
    ]
}

fn actions() -> [Route; 3] {
    [
        post("/books/{companyId}/fixed-assets/{id}/activate", UPDATE, "Put a fixed asset to use")
            .about("Its accounts must take entries.")
            .answers::<View>(StatusCode::OK)
            .versioned()
            .to(assets::activate),
        post("/books/{companyId}/fixed-assets/{id}/dispose", UPDATE, "Sell, scrap or lose a fixed asset")
            .about(
                "Posts what it lost up to that day, and the entry by which it leaves: its cost against what it lost and \
                 the proceeds, and the difference as a gain (77) or a loss (67).",
            )
            .body::<DisposeRequest>()
            .answers::<View>(StatusCode::OK)
            .versioned()
            .to(assets::dispose),
        post("/books/{companyId}/fixed-assets/depreciation-runs", UPDATE, "Write depreciation into the journal")
            .about(
                "The instalments whose periods end on `through` or before, each once, however often this is asked for; \
                 at most 500 entries, and `hasMore` tells of further ones. Entries are drafts unless `post`, or else \
                 `automation.depreciation` of the books, says otherwise; to post them takes `accounting:journal.post` \
                 as well.",
            )
            .body::<DepreciationRunRequest>()
            .answers::<RunView>(StatusCode::OK)
            .to(assets::depreciate),
    ]
}

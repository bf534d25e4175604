//! Folders over random histories, against a model of the tree.

use std::collections::BTreeMap;

use proptest::prelude::*;
use svc_business::account::Account;
use svc_business::document::folder::{self, Folder, FolderInput, MOST_DEPTH};
use svc_business::record;
use svc_core::id::FolderId;
use svc_core::patch::Patch;
use svc_core::resource::Expected;
use svc_testkit::property::cases;

use super::test_app::{TestApp, text};

/// Any call of a client, on folders by their places in the list of those that were made.
#[derive(Clone, Debug)]
enum Step {
    Create { parent: Option<usize> },
    Move { folder: usize, parent: Option<usize> },
    Delete { folder: usize },
}

fn step() -> impl Strategy<Value = Step> {
    let some = || prop_oneof![1 => Just(None), 6 => (0..16_usize).prop_map(Some)];
    prop_oneof![
        6 => some().prop_map(|parent| Step::Create { parent }),
        4 => (0..16_usize, some()).prop_map(|(folder, parent)| Step::Move { folder, parent }),
        1 => (0..16_usize).prop_map(|folder| Step::Delete { folder }),
    ]
}

/// The parent of each folder that there is.
type Model = BTreeMap<FolderId, Option<FolderId>>;

/// The folders from one up to the top; `None` where the chain has a ring.
fn chain(model: &Model, from: Option<FolderId>) -> Option<Vec<FolderId>> {
    let (mut above, mut next) = (Vec::new(), from);
    while let Some(id) = next {
        if above.contains(&id) {
            return None;
        }
        above.push(id);
        next = model[&id];
    }
    Some(above)
}

/// Whether the tree is one with at most ten levels.
fn holds(model: &Model) -> bool {
    model.keys().all(|id| chain(model, Some(*id)).is_some_and(|chain| chain.len() <= MOST_DEPTH))
}

/// The step as the store judges it; answers the model after it.
async fn take(
    app: &TestApp,
    company: &Account,
    made: &mut Vec<FolderId>,
    model: &Model,
    step: &Step,
) -> Model {
    let known = |at: usize| made.get(at).copied().filter(|id| model.contains_key(id));
    let parent = |parent: Option<usize>| parent.and_then(known).map_or(Patch::Null, Patch::Value);
    let mut after = model.clone();
    let unit = app.begin().await;
    match step {
        Step::Create { parent: at } => {
            let home = record::home::<Folder>(&*unit, app.call(), company.id).await.expect("a company");
            let name = text(&made.len().to_string());
            let input = FolderInput { name, parent: parent(*at), ..FolderInput::default() };
            let created = folder::create(home, input).await;
            let deep = chain(model, at.and_then(known)).expect("no ring").len() >= MOST_DEPTH;
            assert_eq!(created.is_err(), deep, "{step:?}: {created:?}");
            if let Ok(created) = created {
                made.push(created.id);
                after.insert(created.id, created.parent);
            }
        }
        Step::Move { folder: at, parent: to } => {
            let Some(id) = known(*at) else { return after };
            let opened =
                folder::open_tree(&*unit, app.call(), id, &Expected::Any).await.expect("it is there");
            let input = FolderInput { parent: parent(*to), ..FolderInput::default() };
            let moved = folder::update(opened, input).await;
            after.insert(id, to.and_then(known));
            assert_eq!(moved.is_ok(), holds(&after), "{step:?}: {moved:?}");
            if moved.is_err() {
                return model.clone();
            }
        }
        Step::Delete { folder: at } => {
            let Some(id) = known(*at) else { return after };
            let opened =
                folder::open_tree(&*unit, app.call(), id, &Expected::Any).await.expect("it is there");
            let deleted = folder::delete(opened).await;
            let empty = model.values().all(|parent| *parent != Some(id));
            assert_eq!(deleted.is_ok(), empty, "{step:?}");
            if deleted.is_err() {
                return after;
            }
            after.remove(&id);
        }
    }
    unit.commit().await.expect("commit");
    after
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn folders_are_a_tree_of_ten_levels_whatever_is_done(steps in prop::collection::vec(step(), 1..40)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let (app, company) = TestApp::with_company().await;
            let (mut made, mut model) = (Vec::new(), Model::new());
            for step in &steps {
                model = take(&app, &company, &mut made, &model, step).await;
                assert!(holds(&model));
            }
            for (id, parent) in &model {
                let found = app.storage.folders().find(&app.scope, *id).await.expect("find");
                assert_eq!(found.map(|folder| folder.parent), Some(*parent));
            }
        });
    }
}

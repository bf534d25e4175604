//! How an asset loses value after a client's input.

use svc_core::error::Validator;
use svc_core::patch::Patch;

use super::AssetBooks;
use crate::books::asset::plan::{Frequency, Life, LifeError, Method, Proration, Schedule, YearWeights};
use crate::books::asset::{AssetStatus, FixedAsset, FixedAssetInput};

/// The schedule of an asset whose class and dates are those of `asset` already; `None` for what loses no value.
pub(super) fn schedule(
    validator: &mut Validator,
    asset: &FixedAsset,
    input: &FixedAssetInput,
    books: AssetBooks,
    creating: bool,
) -> Option<Schedule> {
    let present = asset.terms.schedule;
    let usual = if asset.class.allows(Method::StraightLine) { Method::StraightLine } else { Method::None };
    let kept = present.map_or(Method::None, |schedule| schedule.pattern.method());
    let method = chosen(&input.method, if creating { usual } else { kept }, usual);
    let of_present = present.and_then(|schedule| schedule.pattern.weights()).unwrap_or_default();
    let weights = chosen(&input.year_weights, of_present, YearWeights::default());
    let life = life(validator, asset, input);
    let Some(pattern) = method.pattern(weights) else {
        let named = matches!(input.useful_life_months, Patch::Value(_));
        let message = "an asset that loses no value has no life";
        validator.require(!named, "usefulLifeMonths", "not_allowed", message);
        return None;
    };
    let Some(life) = life else {
        let message = format!("an asset of the class {} cannot lose value in this way", asset.class);
        validator.fail("method", "not_allowed", message);
        return None;
    };
    let frequency = present.map_or(Frequency::default(), |schedule| schedule.frequency);
    let proration = present.map_or(Proration::default(), |schedule| schedule.proration);
    let year_start = match (asset.status, present) {
        // Periods of an asset in use stay where they are when the books move their years.
        (
            AssetStatus::Active | AssetStatus::FullyDepreciated | AssetStatus::Disposed { .. },
            Some(present),
        ) => present.year_start,
        (AssetStatus::Draft, _) | (_, None) => books.year_start,
    };
    Some(Schedule {
        pattern,
        life,
        frequency: chosen(&input.frequency, frequency, Frequency::default()),
        proration: chosen(&input.proration, proration, Proration::default()),
        year_start,
    })
}

/// The value of a member that has a usual one, which null brings back.
fn chosen<T: Copy>(patch: &Patch<T>, present: T, usual: T) -> T {
    match *patch {
        Patch::Absent => present,
        Patch::Null => usual,
        Patch::Value(value) => value,
    }
}

/// The life of the asset; `None` where its class has none and none is named.
fn life(validator: &mut Validator, asset: &FixedAsset, input: &FixedAssetInput) -> Option<Life> {
    let usual = asset.class.default_life();
    match input.useful_life_months {
        Patch::Absent => asset.terms.schedule.map(|schedule| schedule.life).or(usual),
        Patch::Null => usual,
        Patch::Value(months) => {
            let life = u16::try_from(months).map_err(|_| LifeError).and_then(Life::new);
            validator.take("usefulLifeMonths", "out_of_range", life).or(usual)
        }
    }
}

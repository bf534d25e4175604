//! The plan by which a fixed asset loses value.
//!
//! What an asset loses in all is its cost without what it will be worth in the end (*residual value*). A plan says for
//! each period how much of that has gone *in all* when the period ends, rounded half away from zero to the currency's
//! digits, and an instalment is the difference of two such sums. So no rounding is carried along, and the instalments
//! add up to the whole by themselves.
//!
//! Time is counted in months from the day on which the asset is put to use. With `daily` the first month counts by its
//! days that are left and the last one by those that are missing; with `full_month` the first one counts whole.
//!
//! - *Straight line*: the same in every month.
//! - *Declining balance*: in each year of its life a percentage of what it is still worth, 1.5 times the straight one
//!   for a life below 5 years, 2 times below 8, 2.5 times from then on; the rest in the last year.
//! - *Sum of years*: the years of its life weigh n, n − 1, … 1, or the other way round.
//!
//! Within a year of its life every month loses the same.
//!
//! What was accumulated before the books began (*opening*) takes the place of the first instalments. When residual
//! value or life change, posted instalments stay and what is left is spread over the life that is left, in proportion
//! to the plan of the new terms: the change of an estimate looks forward (Plan General de Contabilidad, second part,
//! norm 22).

mod curve;
mod future;
mod instalment;
mod judge;
mod life;
mod method;
mod outline;
mod periods;
mod ratio;
mod terms;
#[cfg(test)]
mod tests;
mod time_line;

pub use self::instalment::{Instalment, InstalmentStatus, PostedInstalment};
pub use self::life::{Life, LifeError};
pub use self::method::{Frequency, Method, Pattern, Proration, YearWeights};
pub use self::outline::{Plan, PlanError};
pub use self::terms::{Schedule, Terms};

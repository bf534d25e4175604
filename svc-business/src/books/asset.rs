//! Fixed assets: their classes, and the plan by which they lose value.

pub mod class;
pub mod plan;

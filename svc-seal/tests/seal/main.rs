//! Files judged, sealed, verified and certified.

mod certificate;
mod chain;
mod hostile;
mod judge;
mod samples;
mod seal;
mod verify;
mod watermark;

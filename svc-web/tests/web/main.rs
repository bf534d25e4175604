//! The client area as browsers without scripts go through it, over a database.

#[cfg(test)]
mod activity;
#[cfg(test)]
mod app;
#[cfg(test)]
mod approvals;
#[cfg(test)]
mod audit_log;
#[cfg(test)]
mod authority;
#[cfg(test)]
mod authorize;
#[cfg(test)]
mod ceremony;
#[cfg(test)]
mod companies;
#[cfg(test)]
mod csrf;
#[cfg(test)]
mod forgotten;
#[cfg(test)]
mod guests;
#[cfg(test)]
mod joining;
#[cfg(test)]
mod journeys;
#[cfg(test)]
mod language;
#[cfg(test)]
mod mail;
#[cfg(test)]
mod markup;
#[cfg(test)]
mod page;
#[cfg(test)]
mod routes;
#[cfg(test)]
mod second_factor;
#[cfg(test)]
mod sessions;
#[cfg(test)]
mod uploads;

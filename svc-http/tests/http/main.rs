//! The API as its clients see it: requests in, whole answers out.

#[cfg(test)]
mod absent;
#[cfg(test)]
mod accounts;
#[cfg(test)]
mod asset_days;
#[cfg(test)]
mod assets;
#[cfg(test)]
mod audit_log;
#[cfg(test)]
mod authority;
#[cfg(test)]
mod billing;
#[cfg(test)]
mod books;
#[cfg(test)]
mod cases;
#[cfg(test)]
mod client;
#[cfg(test)]
mod client_area;
#[cfg(test)]
mod contacts;
#[cfg(test)]
mod data_room;
#[cfg(test)]
mod data_room_stamps;
#[cfg(test)]
mod deliveries;
#[cfg(test)]
mod disjoint;
#[cfg(test)]
mod document;
#[cfg(test)]
mod envelopes;
#[cfg(test)]
mod failure;
#[cfg(test)]
mod files;
#[cfg(test)]
mod group_parent;
#[cfg(test)]
mod groups;
#[cfg(test)]
mod guessing;
#[cfg(test)]
mod histories;
#[cfg(test)]
mod idempotency;
#[cfg(test)]
mod input;
#[cfg(test)]
mod invitations;
#[cfg(test)]
mod lost_rights;
#[cfg(test)]
mod matrix;
#[cfg(test)]
mod members;
#[cfg(test)]
mod mounted;
#[cfg(test)]
mod movements;
#[cfg(test)]
mod multipart;
#[cfg(test)]
mod notices;
#[cfg(test)]
mod oauth;
#[cfg(test)]
mod purchases;
#[cfg(test)]
mod reconciliation;
#[cfg(test)]
mod replays;
#[cfg(test)]
mod reports;
#[cfg(test)]
mod scanning;
#[cfg(test)]
mod session;
#[cfg(test)]
mod slow;
#[cfg(test)]
mod socket;
#[cfg(test)]
mod storage;
#[cfg(test)]
mod tax_profile;
#[cfg(test)]
mod tax_returns;
#[cfg(test)]
mod test_app;
#[cfg(test)]
mod tokens;
#[cfg(test)]
mod totals;
#[cfg(test)]
mod transport;
#[cfg(test)]
mod treasury;
#[cfg(test)]
mod url;
#[cfg(test)]
mod webhooks;

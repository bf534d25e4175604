//! The rules of companies, contacts and people, on SQLite.

mod business {
    pub(crate) mod accounts;
    pub(crate) mod audit;
    pub(crate) mod case_histories;
    pub(crate) mod cases;
    pub(crate) mod contact_changes;
    pub(crate) mod contact_input;
    pub(crate) mod contact_merge;
    pub(crate) mod event_schemas;
    pub(crate) mod folders;
    pub(crate) mod group_parent;
    pub(crate) mod groups;
    pub(crate) mod invitations;
    pub(crate) mod membership_state;
    pub(crate) mod party;
    pub(crate) mod people;
    pub(crate) mod privacy;
    pub(crate) mod properties;
    pub(crate) mod storage;
    pub(crate) mod test_app;
}

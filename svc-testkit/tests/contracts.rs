//! The in-memory adapters keep the contracts that they stand in for.

mod webhook_storage {
    use std::future::{Ready, ready};

    use svc_testkit::webhooks::MemoryWebhooks;

    fn make() -> Ready<Box<MemoryWebhooks>> {
        ready(Box::default())
    }

    svc_testkit::webhook_storage_contract! { make: make }
    svc_testkit::webhook_replay_contract! { make: make }
    svc_testkit::webhook_overview_contract! { make: make }
    svc_testkit::webhook_storage_model! { make: make }
}

mod idempotency {
    use std::future::{Ready, ready};

    use svc_testkit::webhooks::MemoryWebhooks;

    fn make() -> Ready<Option<Box<MemoryWebhooks>>> {
        ready(Some(Box::default()))
    }

    svc_testkit::idempotency_contract! { try_make: make }
}

mod audit {
    /// Every storage has a log of its own that its units write to.
    macro_rules! of {
        ($($name:ident: $storage:ty),*) => {$(
            mod $name {
                fn make() -> std::future::Ready<Box<$storage>> {
                    std::future::ready(Box::default())
                }

                svc_testkit::audit_contract! { make: make }
            }
        )*};
    }

    of! {
        auth: svc_testkit::auth::MemoryAuth,
        sessions: svc_testkit::session::MemorySessions,
        webhooks: svc_testkit::webhooks::MemoryWebhooks
    }
}

mod budgets {
    use std::future::{Ready, ready};

    use svc_testkit::budget::MemoryBudgets;

    fn make() -> Ready<Box<MemoryBudgets>> {
        ready(Box::default())
    }

    svc_testkit::budget_contract! { make: make }
}

mod contents {
    use std::future::{Ready, ready};
    use std::sync::Arc;

    use svc_testkit::content::MemoryContent;
    use svc_testkit::fakes::ManualClock;

    fn make() -> Ready<Box<MemoryContent>> {
        ready(Box::new(MemoryContent::new(Arc::new(ManualClock::default()))))
    }

    svc_testkit::content_store_contract! { make: make }
}

mod session_storage {
    use std::future::{Ready, ready};

    use svc_testkit::session::MemorySessions;

    fn make() -> Ready<Box<MemorySessions>> {
        ready(Box::default())
    }

    svc_testkit::session_storage_contract! { make: make }
}

mod oauth_storage {
    use std::future::{Ready, ready};

    use svc_testkit::auth::MemoryOauth;

    /// Behind a pointer, as a port is.
    struct Port(MemoryOauth);

    impl std::ops::Deref for Port {
        type Target = dyn svc_auth::ports::OauthStorage;

        fn deref(&self) -> &Self::Target {
            &self.0
        }
    }

    fn make() -> Ready<Port> {
        ready(Port(MemoryOauth::default()))
    }

    svc_testkit::oauth_storage_contract! { make: make }
}

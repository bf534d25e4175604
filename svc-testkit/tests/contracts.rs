//! The in-memory adapters keep the contracts that they stand in for.

mod webhook_storage {
    use std::future::{Ready, ready};

    use svc_testkit::webhooks::MemoryWebhooks;

    fn make() -> Ready<Box<MemoryWebhooks>> {
        ready(Box::default())
    }

    svc_testkit::webhook_storage_contract! { make: make }
}

mod idempotency {
    use std::future::{Ready, ready};

    use svc_testkit::webhooks::MemoryWebhooks;

    fn make() -> Ready<Option<Box<MemoryWebhooks>>> {
        ready(Some(Box::default()))
    }

    svc_testkit::idempotency_contract! { try_make: make }
}

//! What stands in for the outbox in a build that has none: no unit of work publishes.

pub(crate) mod committed {
    use svc_core::event::Event;

    use crate::statement::Published;

    /// Nothing is ever handed over.
    #[derive(Default)]
    pub(crate) struct CommittedEvents;

    impl CommittedEvents {
        pub(crate) fn alone(&self, _event: &Event) {}

        pub(crate) fn add(&self, _published: Published) {}

        pub(crate) fn wake(&self) {}

        pub(crate) fn keep(&self, _published: Published) -> bool {
            false
        }
    }
}

//! Cases that run on both engines, with tasks on several threads.

/// Runs a case on both engines.
macro_rules! on_both {
    ($($(#[$attribute:meta])* $case:ident)*) => {
        mod sqlite {$(
            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $case() {
                super::$case(&crate::fresh::sqlite().await).await;
            }
        )*}
        mod postgres {$(
            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $case() {
                if let Some(fresh) = crate::fresh::postgres().await {
                    super::$case(&fresh).await;
                }
            }
        )*}
    };
}
pub(crate) use on_both;

//! What the contract suites share: one test function per case.

/// Generates the test functions of a contract: `contract_tests! { make: path, area: case, … }`.
#[doc(hidden)]
#[macro_export]
macro_rules! contract_tests {
    (make: $make:path, $area:ident: $($case:ident),+ $(,)?) => {$(
        #[::tokio::test]
        async fn $case() {
            let made = $make().await;
            $crate::$area::cases::$case(&*made).await;
        }
    )+};
    (try_make: $make:path, $area:ident: $($case:ident),+ $(,)?) => {$(
        #[::tokio::test]
        async fn $case() {
            if let Some(made) = $make().await {
                $crate::$area::cases::$case(&*made).await;
            }
        }
    )+};
}

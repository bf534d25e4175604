//! What the contract suites share: the list of a suite's cases is written once.

/// Declares a contract: a macro for the tests of implementations, and the module of its cases.
///
/// `NAME by RUNNER at AREA::CASES { file: case, …; … }` makes the exported macro `NAME!`, which hands its arguments
/// and the cases to `RUNNER!`, and the module `CASES`, which re-exports those cases and no other from the private
/// modules that they are in. A case that is in no list is dead code, and fails the build. `AREA` re-exports `CASES`.
/// The `$` in front is what the macro that is made writes its own variables with.
macro_rules! contract {
    (
        $dollar:tt $(#[$documentation:meta])*
        $name:ident by $runner:ident at $area:ident::$cases:ident { $($file:ident: $($case:ident),+;)+ }
    ) => {
        $(#[$documentation])*
        #[macro_export]
        macro_rules! $name {
            ($dollar($dollar arguments:tt)*) => {
                $crate::$runner! { [$dollar($dollar arguments)*] $area::$cases: $($($case,)+)+ }
            };
        }

        /// The cases, for the macro of this contract.
        #[doc(hidden)]
        pub mod $cases {
            $(pub use super::$file::{$($case),+};)+
        }
    };
}
pub(crate) use contract;

/// Generates the test functions of a contract from `make: PATH` or `try_make: PATH`; from `all: PATH` one function, `all`,
/// which runs its cases one after the other. Each is made in a function of its own, so that the stack holds one at a time.
#[doc(hidden)]
#[macro_export]
macro_rules! contract_tests {
    ([make: $make:path] $area:ident::$cases:ident: $($case:ident,)+) => {$(
        #[::tokio::test]
        async fn $case() {
            let made = $make().await;
            $crate::$area::$cases::$case(&*made).await;
        }
    )+};
    ([try_make: $make:path] $area:ident::$cases:ident: $($case:ident,)+) => {$(
        #[::tokio::test]
        async fn $case() {
            if let Some(made) = $make().await {
                $crate::$area::$cases::$case(&*made).await;
            }
        }
    )+};
    ([all: $make:path] $area:ident::$cases:ident: $($case:ident,)+) => {
        pub(crate) async fn all() {
            $({
                fn $case() -> ::std::pin::Pin<Box<impl Future<Output = ()>>> {
                    Box::pin(async { $crate::$area::$cases::$case(&*$make().await).await })
                }
                $case().await;
            })+
        }
    };
}

/// Generates test functions from the path of a function that gives a value, or an `Option` of it; from `all: PATH` one
/// function, as above.
#[doc(hidden)]
#[macro_export]
macro_rules! contract_tests_by_value {
    ([all: $make:path] $area:ident::$cases:ident: $($case:ident,)+) => {
        pub(crate) async fn all() {
            $({
                fn $case() -> ::std::pin::Pin<Box<impl Future<Output = ()>>> {
                    Box::pin(async { $crate::$area::$cases::$case($make().await).await })
                }
                $case().await;
            })+
        }
    };
    ([$make:path] $area:ident::$cases:ident: $($case:ident,)+) => {$(
        #[::tokio::test]
        async fn $case() {
            if let Some(made) = $make().await.into() {
                $crate::$area::$cases::$case(made).await;
            }
        }
    )+};
}

/// Generates a module of test functions from its name and that of a function beside it, which gives an `Option`; from
/// `all: PATH` one function, as above.
#[doc(hidden)]
#[macro_export]
macro_rules! contract_tests_in_module {
    ([all: $make:path] $area:ident::$cases:ident: $($case:ident,)+) => {
        pub(crate) async fn all() {
            $({
                fn $case() -> ::std::pin::Pin<Box<impl Future<Output = ()>>> {
                    Box::pin(async { $crate::$area::$cases::$case(&$make().await).await })
                }
                $case().await;
            })+
        }
    };
    ([$name:ident, $fixture:ident] $area:ident::$cases:ident: $($case:ident,)+) => {
        mod $name {$(
            #[::tokio::test]
            async fn $case() {
                if let Some(fixture) = super::$fixture().await {
                    $crate::$area::$cases::$case(&fixture).await;
                }
            }
        )+}
    };
}

//! How a list of cases becomes `#[test]` functions, and a table in which a case is found by its name.

use std::{future::Future, pin::Pin};

/// A case under way.
pub(crate) type Running = Pin<Box<dyn Future<Output = ()>>>;

/// The cases of a suite by name.
pub(crate) type Table<F> = [(&'static str, fn(F) -> Running)];

/// Runs a future to its end on a runtime of its own, on this thread.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// Runs one case of a table on a fixture that is made for it.
pub(crate) fn run<F>(table: &Table<F>, name: &str, fixture: impl Future<Output = F>) {
    let (_, case) = table.iter().find(|(known, _)| *known == name).expect("the suite has a case of this name");
    block_on(async { case(fixture.await).await });
}

/// Makes a `#[test]` of each case of a list. The suite's macro is what one writes.
#[doc(hidden)]
#[macro_export]
macro_rules! tests_of {
    ([$suite:ident $make:expr] $($area:ident { $($case:ident,)* })*) => {
        $($(
            #[test]
            fn $case() {
                $crate::$suite::run_case(stringify!($case), $make);
            }
        )*)*
    };
}

/// Makes the table of a list.
#[doc(hidden)]
#[macro_export]
macro_rules! table_of {
    ([] $($area:ident { $($case:ident,)* })*) => {
        &[$($((stringify!($case), |fixture| Box::pin($area::$case(fixture))),)*)*]
    };
}

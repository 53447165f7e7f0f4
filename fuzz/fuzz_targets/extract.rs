//! Fuzz target: see `tamis_fuzz::extract`.

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tamis_fuzz::extract(data));

#[cfg(not(fuzzing))]
fn main() {
    tamis_fuzz::replay(tamis_fuzz::extract);
}

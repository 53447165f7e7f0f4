//! `inspect` for the inspector as a static page, which `cargo xtask inspector` builds.

use std::sync::Arc;

use js_sys::JSON;
use tamis::Bias;
use tamis_batch::{PageIn, Work, WorkOptions};
use tamis_inspect::{InspectOptions, of_analysis};
use tamis_site::{RuleError, RuleSet};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{Page, page_error, tamis_error};

/// The inspection of a page, with all methods. `bias` is from -1 (precision) to 1 (recall), `rules` are site rules in
/// TOML. Throws a `TamisError`.
#[wasm_bindgen]
pub fn inspect(
    html: &JsValue,
    url: Option<String>,
    bias: f64,
    rules: Option<String>,
) -> Result<JsValue, JsValue> {
    let page = Page::of(html)?;
    let about = PageIn { url: url.as_deref(), ..PageIn::of(page.html()) };
    let rules = rules.map(|rules| RuleSet::parse(&rules)).transpose().map_err(|error| {
        let RuleError { line, column, problem } = error;
        tamis_error("rules", &format!("rules, line {line}, column {column}: {problem}"))
    })?;
    let bias = Bias::Percent((bias.clamp(-1.0, 1.0) * 100.0).round() as i8);
    let work = Work::new(WorkOptions { bias, rules: rules.map(Arc::new), ..WorkOptions::default() });
    let options = InspectOptions { bias, ..InspectOptions::default() };
    let inspection = work
        .explain(&about, |input, analysis, explanation| {
            of_analysis(work.extractor(), input, analysis, explanation, &options)
        })
        .map_err(|error| page_error(&error))?;
    let json =
        serde_json::to_string(&inspection).map_err(|error| tamis_error("internal", &error.to_string()))?;
    JSON::parse(&json)
}

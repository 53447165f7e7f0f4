//! The npm package `tamis`: [`extract`] and [`version`] for JavaScript. `npm/tamis.d.ts` has the types and their
//! documentation; `cargo xtask npm` builds the package.

#[cfg(feature = "inspector")]
pub mod inspector;
mod settings;

use js_sys::{ArrayBuffer, Error, JSON, JsString, Reflect, TypeError, Uint8Array};
use tamis_batch::{Html, PageError, PageIn, VERSION, Work};
use wasm_bindgen::handler::schedule_reinit;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue, throw_val};

use settings::Settings;

/// Runs once per instance.
#[wasm_bindgen(start)]
pub fn start() {
    // A panic cannot be caught in WebAssembly: the caller gets an error, and the next call a new instance.
    std::panic::set_hook(Box::new(|panic| {
        schedule_reinit();
        throw_val(tamis_error(
            "internal",
            &format!("internal error on this page (please report it): {panic}"),
        ));
    }));
}

/// The version of Tamis.
#[wasm_bindgen]
pub fn version() -> String {
    VERSION.to_owned()
}

/// Extracts the record of a page. Throws a `TamisError` if extraction fails, and a `TypeError` for wrong arguments.
#[wasm_bindgen]
pub fn extract(html: &JsValue, options: &JsValue) -> Result<JsValue, JsValue> {
    let Settings { url, content_type, fetched, work, .. } = Settings::of(options)?;
    let fields = work.fields;
    let page = Page::of(html)?;
    let about = PageIn {
        url: url.as_deref(),
        content_type: content_type.as_deref(),
        fetched,
        ..PageIn::of(page.html())
    };
    let record = Work::new(work).try_extract(&about).map_err(|error| page_error(&error))?;
    // JavaScript's JSON parser builds objects several times faster than calls across the WebAssembly boundary.
    JSON::parse(&record.to_json(fields))
}

/// A page, copied from JavaScript.
enum Page {
    Bytes(Vec<u8>),
    Text(String),
}

impl Page {
    fn of(value: &JsValue) -> Result<Page, JsValue> {
        if let Some(text) = value.dyn_ref::<JsString>() {
            return Ok(Page::Text(text.into()));
        }
        bytes(value)
            .map(Page::Bytes)
            .ok_or_else(|| TypeError::new("a page is a string, a Uint8Array or an ArrayBuffer").into())
    }

    fn html(&self) -> Html<'_> {
        match self {
            Page::Bytes(bytes) => Html::Bytes(bytes),
            Page::Text(text) => Html::Text(text),
        }
    }
}

fn bytes(value: &JsValue) -> Option<Vec<u8>> {
    match value.dyn_ref::<Uint8Array>() {
        Some(bytes) => Some(bytes.to_vec()),
        None => value.dyn_ref::<ArrayBuffer>().map(|buffer| Uint8Array::new(buffer).to_vec()),
    }
}

fn page_error(error: &PageError) -> JsValue {
    let (code, remedy) = match error {
        PageError::NotAPage(_) => ("not_a_page", ""),
        PageError::TooLarge(_) => ("too_large", ": raise max_bytes"),
        PageError::Time(_) => ("time_limit", ": raise timeout"),
        _ => ("internal", ""),
    };
    tamis_error(code, &format!("{error}{remedy}"))
}

fn tamis_error(code: &str, message: &str) -> JsValue {
    let error = Error::new(message);
    error.set_name("TamisError");
    // Fails on frozen objects only.
    let _ = Reflect::set(&error, &"code".into(), &code.into());
    error.into()
}

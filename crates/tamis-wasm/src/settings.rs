//! The options of `extract`, named as in Python.

use std::time::Duration;

use js_sys::{Array, Date, JsString, Object, TypeError};
use tamis::Bias;
use tamis::page::HiddenText;
use tamis_batch::{Fields, InvalidChunking, RecordField, WorkOptions, parse_time};
use tamis_html::decode::Decoder;
use tamis_methods::CustomModel;
use wasm_bindgen::{JsCast, JsValue};

use crate::bytes;

const OPTIONS: &str = "url, fields, content_type, encoding, fetched, method, balance, model, hidden, chunks, max_bytes, timeout";

#[derive(Default)]
pub(crate) struct Settings {
    pub(crate) url: Option<String>,
    pub(crate) content_type: Option<String>,
    /// In microseconds since 1970.
    pub(crate) fetched: Option<i64>,
    pub(crate) work: WorkOptions,
    has_chunks: bool,
}

impl Settings {
    pub(crate) fn of(options: &JsValue) -> Result<Settings, JsValue> {
        let mut settings = Settings::default();
        if options.is_undefined() || options.is_null() {
            return Ok(settings);
        }
        let Some(options) = options.dyn_ref::<Object>() else {
            return Err(wrong("options are an object, such as { url }"));
        };
        for entry in Object::entries(options).iter() {
            let entry: Array = entry.unchecked_into();
            let (name, value) = (String::from(entry.get(0).unchecked_into::<JsString>()), entry.get(1));
            if !value.is_undefined() && !value.is_null() {
                settings.set(&name, &value)?;
            }
        }
        if settings.has_chunks {
            settings.work.fields = settings.work.fields.with(&[RecordField::Chunks]);
        }
        if let Some(model) = &settings.work.model {
            model.check(&[settings.work.method]).map_err(|error| wrong(format!("model: {error}")))?;
        }
        Ok(settings)
    }

    fn set(&mut self, name: &str, value: &JsValue) -> Result<(), JsValue> {
        let text = || value.as_string().ok_or_else(|| wrong(format!("{name} is a string")));
        let work = &mut self.work;
        match name {
            "url" => self.url = Some(text()?),
            "fields" => work.fields = fields(value)?,
            "content_type" => self.content_type = Some(text()?),
            "encoding" => {
                let label = text()?;
                Decoder::new().encoding_label(&label).map_err(wrong)?;
                work.encoding = Some(label);
            }
            "fetched" => self.fetched = Some(time(value)?),
            "method" => work.method = text()?.parse().map_err(wrong)?,
            "balance" => {
                work.bias = match text()?.as_str() {
                    "precision" => Bias::Precision,
                    "recall" => Bias::Recall,
                    other => {
                        return Err(wrong(format!("balance is \"precision\" or \"recall\", not {other:?}")));
                    }
                };
            }
            "model" => {
                let model = bytes(value).ok_or_else(|| wrong("model is a Uint8Array"))?;
                let model = CustomModel::from_bytes(&model);
                work.model = Some(model.map_err(|error| wrong(format!("model: {error}")))?);
            }
            "hidden" => {
                work.hidden = match text()?.as_str() {
                    "drop" => HiddenText::Drop,
                    "keep" => HiddenText::Keep,
                    "flag" => HiddenText::Flag,
                    other => {
                        return Err(wrong(format!(
                            "hidden is \"drop\", \"keep\" or \"flag\", not {other:?}"
                        )));
                    }
                };
            }
            "chunks" => {
                let size = value.as_f64().map(|size| size.to_string()).or_else(|| value.as_string());
                let size = size.ok_or_else(|| wrong("chunks is a size, such as 2000 or \"200tokens\""))?;
                work.chunking =
                    size.parse().map_err(|error: InvalidChunking| wrong(format!("chunks: {error}")))?;
                self.has_chunks = true;
            }
            "max_bytes" => {
                let bytes = value.as_f64().filter(|bytes| *bytes >= 1.0);
                // The conversion saturates; more than 4 GiB do not fit into WebAssembly's memory anyway.
                work.bounds.bytes = bytes.ok_or_else(|| wrong("max_bytes is a number of at least 1"))? as u32;
            }
            "timeout" => {
                let seconds = value.as_f64().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                let seconds = seconds.filter(|seconds| !seconds.is_zero());
                work.bounds.time = seconds.ok_or_else(|| wrong("timeout is a number of seconds over 0"))?;
            }
            _ => return Err(wrong(format!("there is no option {name:?}; the options are {OPTIONS}"))),
        }
        Ok(())
    }
}

fn wrong(what: impl std::fmt::Display) -> JsValue {
    TypeError::new(&what.to_string()).into()
}

/// Names of fields: an array, or one string with commas.
fn fields(value: &JsValue) -> Result<Fields, JsValue> {
    let not_names = || wrong("fields are an array of names, or one string with commas");
    if let Some(names) = value.as_string() {
        return names.parse().map_err(wrong);
    }
    let names: &Array = value.dyn_ref().ok_or_else(not_names)?;
    names.iter().map(|name| name.as_string().ok_or_else(not_names)?.parse().map_err(wrong)).collect()
}

/// A `Date` or ISO 8601.
fn time(value: &JsValue) -> Result<i64, JsValue> {
    let time = match value.dyn_ref::<Date>() {
        Some(date) => Some(date.get_time()).filter(|time| time.is_finite()).map(|time| time as i64 * 1000),
        None => value.as_string().as_deref().and_then(parse_time),
    };
    time.ok_or_else(|| wrong("fetched is a Date or a time such as \"2024-05-01T10:00:00Z\""))
}

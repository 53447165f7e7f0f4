//! `--method` and `--model`.

use std::fs;

use anyhow::{Context, Result, anyhow};
use tamis_methods::{CustomModel, Selection};

use crate::flags::{MODEL_VARIABLE, ModelFlag};

/// `--method`, for commands that run one.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Method")]
pub(crate) struct MethodFlag {
    /// Extraction method.
    #[arg(long, value_name = "NAME", default_value_t = Selection::default(), value_parser = method, long_help = method_help())]
    pub(crate) method: Selection,

    #[command(flatten)]
    model: ModelFlag,
}

impl MethodFlag {
    pub(crate) fn model(&self) -> Result<Option<CustomModel>> {
        self.model.read(&[self.method])
    }
}

/// The value of `--method`.
pub(crate) fn method(name: &str) -> Result<Selection> {
    name.parse().map_err(|_| {
        let known: Vec<&str> = Selection::all().map(|method| method.name()).collect();
        anyhow!("there is no method {name}; the methods are {}", known.join(", "))
    })
}

/// The values of a repeated `--method`, where `all` stands for every method.
pub(crate) fn methods(names: &[String], default: Vec<Selection>) -> Result<Vec<Selection>> {
    if names.is_empty() {
        return Ok(default);
    }
    let mut methods = Vec::new();
    for name in names {
        let named = if name == "all" { Selection::all().collect() } else { vec![method(name)?] };
        methods.extend(named.into_iter().filter(|method| !methods.contains(method)).collect::<Vec<_>>());
    }
    Ok(methods)
}

fn method_help() -> String {
    let lines = Selection::all().map(|method| format!("\n  {:13} {}", method.name(), method.about()));
    format!("Extraction method:{}", lines.collect::<String>())
}

impl ModelFlag {
    /// Reads the model. One that none of the methods would use is an error if a flag names it, and ignored if the
    /// environment does.
    pub(crate) fn read(&self, methods: &[Selection]) -> Result<Option<CustomModel>> {
        let Some(file) = &self.model else { return Ok(None) };
        let is_from_environment =
            std::env::var_os(MODEL_VARIABLE).is_some_and(|value| value == file.as_os_str());
        let name = file.display();
        let bytes = fs::read(file).with_context(|| {
            format!("cannot read the model {name}; give a file written by `tamis train -o`")
        })?;
        let model = CustomModel::from_bytes(&bytes)
            .with_context(|| format!("{name}: not a tamis model; give a file written by `tamis train -o`"))?;
        match model.check(methods) {
            Err(_) if is_from_environment => Ok(None),
            Err(error) => Err(error).with_context(|| {
                let those = Selection::all().filter(|method| model.serves(*method));
                let those: Vec<String> = those.map(|method| format!("--method {method}")).collect();
                format!("--model {name} has no effect: leave it out, or add {}", those.join(" or "))
            }),
            Ok(()) => Ok(Some(model)),
        }
    }
}

/// The methods that use other pages of a site, by name.
pub(crate) fn site_methods() -> String {
    let those = Selection::all().filter(|method| method.uses_site());
    those.map(|method| method.name()).collect::<Vec<_>>().join(", ")
}

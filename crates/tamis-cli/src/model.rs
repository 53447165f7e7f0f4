//! `--method` and `--model`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use tamis::{Extractor, ExtractorBuilder};
use tamis_methods::{CustomModel, Selection};

/// A method as `--method` takes it.
pub(crate) fn method(name: &str) -> Result<Selection> {
    name.parse().map_err(|_| {
        let known: Vec<&str> = Selection::all().map(|method| method.name()).collect();
        anyhow!("there is no method {name}; the methods are {}", known.join(", "))
    })
}

/// Reads a custom model, and refuses one that none of the methods would use.
pub(crate) fn read(file: &Path, methods: &[Selection]) -> Result<CustomModel> {
    let name = file.display();
    let bytes = fs::read(file).with_context(|| {
        format!("cannot read the model {name}; give the file that `tamis train --out` wrote")
    })?;
    let model = CustomModel::from_bytes(&bytes).with_context(|| {
        format!("{name} is no model that can be used; give the file that `tamis train --out` wrote")
    })?;
    model.check(methods).with_context(|| {
        let those = Selection::all().filter(|method| model.serves(*method));
        let those: Vec<String> = those.map(|method| format!("--method {method}")).collect();
        format!("--model {name} would change nothing: leave it out, or add {}", those.join(" or "))
    })?;
    Ok(model)
}

/// An extractor that uses a method, with a custom model if there is one.
pub(crate) fn extractor(
    builder: ExtractorBuilder,
    method: Selection,
    model: Option<&CustomModel>,
) -> Extractor {
    match model {
        Some(model) => model.apply(method, builder),
        None => method.apply(builder, None),
    }
    .build()
}

/// The methods that learn from other pages of a site, by name.
pub(crate) fn site_methods() -> String {
    let those = Selection::all().filter(|method| method.uses_site());
    those.map(|method| method.name()).collect::<Vec<_>>().join(", ")
}

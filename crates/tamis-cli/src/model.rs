//! `--model`: the file of a model of one's own, for the methods that have one.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use tamis::{Method, OwnModel};

/// Reads the model for the methods that are run, and refuses one that none of them would use.
pub(crate) fn read(file: &Path, methods: &[Method]) -> Result<OwnModel> {
    let name = file.display();
    let bytes = fs::read(file).with_context(|| {
        format!("cannot read the model {name}; give the file that `tamis train --out` wrote")
    })?;
    let Ok(text) = String::from_utf8(bytes) else {
        bail!("{name} is no model: it is no text; give the file that `tamis train --out` wrote");
    };
    let model = OwnModel::read(&text).with_context(|| format!("{name} is no model that can be used"))?;
    let unused = || {
        let those = Method::ALL.iter().filter(|method| model.serves(**method));
        let those: Vec<String> = those.map(|method| format!("--method {method}")).collect();
        format!("--model {name} would change nothing: leave it out, or add {}", those.join(" or "))
    };
    model.check(methods).with_context(unused)?;
    Ok(model)
}

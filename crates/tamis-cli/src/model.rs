//! `--model`: a model of one's own, for the methods that have one. The file says which of them it is for.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use tamis::fused::Model;
use tamis::methods::rbf;
use tamis::{Extractor, Method};

/// What a file holds.
pub(crate) enum OwnModel {
    /// The trees of `fused`.
    Fused(Arc<Model>),
    /// The machine of `svm` and `template-svm`.
    Machine(Arc<rbf::Model>),
}

impl OwnModel {
    /// Reads the model for the methods that are run, and refuses one that none of them would use.
    pub(crate) fn read(file: &Path, methods: &[Method]) -> Result<OwnModel> {
        let name = file.display();
        let machines: Vec<Method> = methods.iter().copied().filter(|method| has_machine(*method)).collect();
        let has_fused = methods.contains(&Method::Fused);
        if machines.is_empty() && !has_fused {
            let those: Vec<&str> = methods.iter().map(|method| method.name()).collect();
            bail!(
                "--model {name}: it is for the methods fused, svm and template-svm, and not for {}; leave it out, or add --method fused or svm",
                those.join(", ")
            );
        }
        let text = fs::read_to_string(file).with_context(|| format!("cannot read the model {name}"))?;
        // What no known line begins is told by the method that would have liked to read it.
        let is_machine = text.trim_start_matches('\u{FEFF}').starts_with("svm_type");
        match machines.first() {
            Some(method) if is_machine || !has_fused => {
                let damaged = || format!("{name} is no model that the method {method} can use");
                Ok(OwnModel::Machine(Arc::new(text.parse().with_context(damaged)?)))
            }
            None if is_machine => {
                bail!(
                    "{name} is no model that the method fused can use: it is for svm and template-svm; add --method svm"
                )
            }
            _ => {
                let damaged = || format!("{name} is no model that the method fused can use");
                Ok(OwnModel::Fused(Arc::new(Model::read(&text).with_context(damaged)?)))
            }
        }
    }

    /// An extractor with it.
    pub(crate) fn given_to(self, extractor: Extractor) -> Extractor {
        match self {
            OwnModel::Fused(model) => extractor.model(model),
            OwnModel::Machine(machine) => extractor.machine(machine),
        }
    }
}

fn has_machine(method: Method) -> bool {
    matches!(method, Method::Svm | Method::TemplateSvm)
}

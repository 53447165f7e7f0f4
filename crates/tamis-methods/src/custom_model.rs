//! Model files in place of the built-in models.

use std::sync::Arc;

use tamis::ExtractorBuilder;
use tamis::classify::{self, ModelError};
use xxhash_rust::xxh3::xxh3_64;

use crate::method::Method;
use crate::rbf;
use crate::selection::Selection;

/// A model as `tamis train` writes it: forests for the learned extractor, or an SVM for `svm` and `template-svm`.
#[derive(Clone, Debug)]
pub struct CustomModel {
    kind: Kind,
    digest: String,
}

#[derive(Clone, Debug)]
enum Kind {
    Forests(Arc<classify::Model>),
    Svm(Arc<rbf::Model>),
}

/// Why a model cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CustomModelError {
    /// No model of the learned extractor.
    #[error(transparent)]
    Forests(#[from] ModelError),
    /// No SVM.
    #[error(transparent)]
    Svm(#[from] rbf::ModelError),
    /// None of the selected methods uses it.
    #[error("it is a model for {}, not for {}", names(.serves), names(.asked))]
    OtherMethod {
        /// The methods that use it.
        serves: Vec<Selection>,
        /// The selected methods.
        asked: Vec<Selection>,
    },
}

fn names(selections: &[Selection]) -> String {
    selections.iter().map(|selection| selection.name()).collect::<Vec<_>>().join(", ")
}

impl CustomModel {
    /// Reads a model file, whose kind is recognised by its content.
    pub fn from_bytes(bytes: &[u8]) -> Result<CustomModel, CustomModelError> {
        // Some editors add a byte-order mark.
        let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        // As LIBSVM begins its model files.
        let kind = if text.starts_with(b"svm_type") {
            Kind::Svm(Arc::new(String::from_utf8_lossy(text).parse()?))
        } else {
            Kind::Forests(Arc::new(classify::Model::from_bytes(bytes)?))
        };
        Ok(CustomModel { kind, digest: format!("{:016x}", xxh3_64(text)) })
    }

    /// Names the model in output: models with the same digest are the same.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The forests, if it is a model of the learned extractor.
    pub fn forests(&self) -> Option<&Arc<classify::Model>> {
        if let Kind::Forests(model) = &self.kind { Some(model) } else { None }
    }

    /// The SVM, if it is one.
    pub fn svm(&self) -> Option<&Arc<rbf::Model>> {
        if let Kind::Svm(model) = &self.kind { Some(model) } else { None }
    }

    /// Whether this selection uses it.
    pub fn serves(&self, selection: Selection) -> bool {
        match self.kind {
            Kind::Forests(_) => selection == Selection::Fused,
            Kind::Svm(_) => matches!(selection, Selection::Published(Method::Svm | Method::TemplateSvm)),
        }
    }

    /// Rejects a model that none of these selections uses.
    pub fn check(&self, asked: &[Selection]) -> Result<(), CustomModelError> {
        if asked.iter().any(|selection| self.serves(*selection)) {
            return Ok(());
        }
        let serves = Selection::all().filter(|selection| self.serves(*selection)).collect();
        Err(CustomModelError::OtherMethod { serves, asked: asked.to_vec() })
    }

    /// Makes an extractor use `selection` with this model.
    pub fn apply(&self, selection: Selection, builder: ExtractorBuilder) -> ExtractorBuilder {
        match &self.kind {
            Kind::Forests(model) => selection.apply(builder.model(model.clone()), None),
            Kind::Svm(model) => selection.apply(builder, Some(model.clone())),
        }
    }
}

impl From<Arc<classify::Model>> for CustomModel {
    fn from(model: Arc<classify::Model>) -> CustomModel {
        let digest = format!("{:016x}", xxh3_64(&model.to_bytes()));
        CustomModel { kind: Kind::Forests(model), digest }
    }
}

impl PartialEq for CustomModel {
    fn eq(&self, other: &CustomModel) -> bool {
        self.digest == other.digest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Classifies everything as main text.
    const GREEDY: &[u8] = b"svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 2\nrho -1\nlabel 1 0\nSV\n";

    #[test]
    fn models_serve_the_methods_they_were_trained_for() {
        let svm = CustomModel::from_bytes(GREEDY).unwrap();
        let method = Selection::Published(Method::Svm);
        assert!(svm.serves(method) && !svm.serves(Selection::Fused));
        let error = svm.check(&[Selection::Fused]).unwrap_err().to_string();
        assert_eq!(error, "it is a model for svm, template-svm, not for fused");
        let extractor = svm.apply(method, tamis::Extractor::builder()).build();
        assert!(extractor.extract_text("<a href=/>Home</a><p>Rain.").unwrap().contains("Home"));

        let built_in = classify::Model::built_in().to_bytes();
        let forests = CustomModel::from_bytes(&built_in).unwrap();
        assert!(forests.check(&[Selection::Fused, method]).is_ok() && forests != svm);
        assert!(CustomModel::from_bytes(b"a letter").is_err());
    }
}

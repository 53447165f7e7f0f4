//! A model of one's own: what `tamis train` wrote, for whichever method it was trained. Every door (commands, Python, runs
//! over many pages) takes such a file, so the one place that tells the kinds apart is here.

use std::sync::Arc;

use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use crate::Method;
use crate::fused;
use crate::methods::rbf;

/// A model that takes the place of the one that comes with the library.
///
/// ```
/// use tamis::{Extractor, Method, OwnModel, fused::Model};
///
/// let own = OwnModel::read(&Model::default().to_string())?;
/// assert!(own.serves(Method::Fused) && !own.serves(Method::Svm));
/// assert_eq!(own.digest(), Model::default().digest());
/// let extractor = Extractor::new().own_model(&own);
/// assert!(extractor.extract("<p>It rained in the harbour on Monday, and on Tuesday.").confidence.is_some());
/// # Ok::<(), tamis::own_model::OwnModelError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct OwnModel {
    pub(crate) kind: Kind,
    digest: String,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Kind {
    /// The trees of `fused`.
    Trees(Arc<fused::Model>),
    /// The machine of `svm` and `template-svm`.
    Machine(Arc<rbf::Model>),
}

/// Why a model cannot be used.
///
/// ```
/// use tamis::{Method, OwnModel, fused::Model};
///
/// assert!(OwnModel::read("a letter to my aunt").unwrap_err().to_string().contains("tamis train"));
/// let trees = OwnModel::read(&Model::default().to_string()).unwrap();
/// let error = trees.check(&[Method::Svm]).unwrap_err();
/// assert_eq!(error.to_string(), "it is a model for the method fused, and not for svm");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OwnModelError {
    /// It is no model, or a damaged one, of the trees of `fused`.
    #[error(transparent)]
    Trees(#[from] fused::ModelError),
    /// It is a damaged model of the machine of `svm`.
    #[error(
        "the machine of the method svm cannot be read: {0}; train it again with `tamis train --method svm`"
    )]
    Machine(rbf::ModelError),
    /// The methods that are run would make no use of it.
    #[error("it is a model for the method{} {}, and not for {}", if .serves.len() > 1 { "s" } else { "" }, names(.serves), names(.asked))]
    OtherMethod {
        /// Those that it is for.
        serves: Vec<Method>,
        /// Those that are run.
        asked: Vec<Method>,
    },
}

fn names(methods: &[Method]) -> String {
    methods.iter().map(|method| method.name()).collect::<Vec<_>>().join(", ")
}

impl OwnModel {
    /// Reads what `tamis train` wrote. The text says for which method it is.
    pub fn read(text: &str) -> Result<OwnModel, OwnModelError> {
        // Some editors put a byte-order mark before a text.
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        if text.starts_with("svm_type") {
            let machine =
                Kind::Machine(Arc::new(text.parse::<rbf::Model>().map_err(OwnModelError::Machine)?));
            return Ok(OwnModel { kind: machine, digest: format!("{:016x}", xxh3_64(text.as_bytes())) });
        }
        let trees = fused::Model::read(text)?;
        let digest = trees.digest();
        Ok(OwnModel { kind: Kind::Trees(Arc::new(trees)), digest })
    }

    /// A name for it: two models of the same name are the same. Rows of a run have it.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Does this method decide with it?
    pub fn serves(&self, method: Method) -> bool {
        match self.kind {
            Kind::Trees(_) => method == Method::Fused,
            Kind::Machine(_) => matches!(method, Method::Svm | Method::TemplateSvm),
        }
    }

    /// Refuses a model that none of these methods would use.
    ///
    /// ```
    /// use tamis::{Method, OwnModel, fused::Model};
    ///
    /// let trees = OwnModel::read(&Model::default().to_string())?;
    /// assert!(trees.check(&[Method::Density, Method::Fused]).is_ok());
    /// # Ok::<(), tamis::own_model::OwnModelError>(())
    /// ```
    pub fn check(&self, methods: &[Method]) -> Result<(), OwnModelError> {
        if methods.iter().any(|method| self.serves(*method)) {
            return Ok(());
        }
        let serves = Method::ALL.iter().copied().filter(|method| self.serves(*method)).collect();
        Err(OwnModelError::OtherMethod { serves, asked: methods.to_vec() })
    }
}

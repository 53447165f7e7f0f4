//! The choice between the learned extractor and a published method, by name.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use tamis::classify::SiteMemory;
use tamis::page::Page;
use tamis::{Classifier, ExtractorBuilder};

use crate::method::{Method, UnknownMethod};
use crate::rbf::Model;
use crate::{svm, template_svm};

/// The learned extractor or a published method.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Selection {
    /// The learned extractor, which is the default.
    #[default]
    Fused,
    /// A published method.
    Published(Method),
}

impl Selection {
    /// All of them, the default first.
    pub fn all() -> impl Iterator<Item = Selection> {
        std::iter::once(Selection::Fused).chain(Method::ALL.into_iter().map(Selection::Published))
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Selection::Fused => "fused",
            Selection::Published(method) => method.name(),
        }
    }

    /// One line of help.
    pub fn about(self) -> &'static str {
        match self {
            Selection::Fused => "the learned model, with the measures of all methods as features",
            Selection::Published(method) => method.about(),
        }
    }

    /// Whether other pages of the site change the result.
    pub fn uses_site(self) -> bool {
        match self {
            Selection::Fused => true,
            Selection::Published(method) => method.uses_site(),
        }
    }

    /// Makes an extractor use this selection. `svm` replaces the model of the methods `svm` and `template-svm`.
    pub fn apply(self, builder: ExtractorBuilder, svm: Option<Arc<Model>>) -> ExtractorBuilder {
        match self {
            Selection::Fused => builder,
            Selection::Published(method) => builder.classifier(Arc::new(PublishedClassifier { method, svm })),
        }
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Selection {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Selection, UnknownMethod> {
        if name == Selection::Fused.name() {
            Ok(Selection::Fused)
        } else {
            name.parse().map(Selection::Published)
        }
    }
}

/// A published method as the classifier of an extractor.
#[derive(Clone, Debug)]
pub struct PublishedClassifier {
    method: Method,
    svm: Option<Arc<Model>>,
}

impl Classifier for PublishedClassifier {
    fn name(&self) -> &'static str {
        self.method.name()
    }

    fn classify(&self, page: &Page<'_>, site: Option<&dyn SiteMemory>) -> Vec<(bool, f32)> {
        let judgement = match (&self.svm, self.method) {
            (Some(model), Method::Svm) => svm::judge(page, model),
            (Some(model), Method::TemplateSvm) => template_svm::judge(page, site, model),
            _ => self.method.judge(page, site),
        };
        judgement.verdicts.into_iter().map(|verdict| (verdict.keep, verdict.score)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_select_and_methods_extract() {
        for selection in Selection::all() {
            assert_eq!(selection.name().parse(), Ok(selection));
        }
        let method = Selection::Published(Method::Correlation);
        let extractor = method.apply(tamis::Extractor::builder(), None).build();
        let text = "It rained for nine days, and the river rose by two metres.";
        let extracted = extractor.extract_text(&format!("<a href=/>Home</a><p>{text}")).unwrap();
        assert_eq!(extracted.trim_end(), text);
    }
}

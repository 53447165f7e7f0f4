//! Methods by name.

use std::fmt;
use std::str::FromStr;

use tamis::classify::SiteMemory;
use tamis::page::Page;

use crate::judgement::Judgement;
use crate::{containers, correlation, density, lines, svm, template_svm, text_blocks};

/// A published method, in its published form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Method {
    /// Punctuation share of lines, then lines that recur across a site.
    Lines,
    /// The SVM over block tags alone, the baseline of [`TemplateSvm`](Method::TemplateSvm).
    Svm,
    /// Templates of a site, then an SVM over block tags.
    TemplateSvm,
    /// Text per link of every element, smoothed.
    Correlation,
    /// Scores of containers.
    Containers,
    /// Lengths of text blocks against two thresholds.
    Blocks,
    /// Composite text density with DensitySum: the baseline of the other papers.
    Density,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 7] = [
        Method::Lines,
        Method::Svm,
        Method::TemplateSvm,
        Method::Correlation,
        Method::Containers,
        Method::Blocks,
        Method::Density,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Method::Lines => "lines",
            Method::Svm => "svm",
            Method::TemplateSvm => "template-svm",
            Method::Correlation => "correlation",
            Method::Containers => "containers",
            Method::Blocks => "blocks",
            Method::Density => "density",
        }
    }

    /// One line of help.
    pub fn about(self) -> &'static str {
        match self {
            Method::Lines => "punctuation share of lines; drops lines that recur across the site",
            Method::Svm => "an SVM over block tags",
            Method::TemplateSvm => "drops leaf tags that recur across the site; then an SVM over block tags",
            Method::Correlation => "text per link of every element, smoothed by siblings and parent",
            Method::Containers => "scores containers by title words, punctuation, links and position",
            Method::Blocks => "a smoothed histogram of text-block lengths and two thresholds",
            Method::Density => "text density with DensitySum (2011)",
        }
    }

    /// Whether other pages of the site change the result.
    pub fn uses_site(self) -> bool {
        matches!(self, Method::Lines | Method::TemplateSvm)
    }

    /// Judges the blocks of a page with the paper's constants. `site` is the memory of the other pages of the site.
    pub fn judge(self, page: &Page<'_>, site: Option<&dyn SiteMemory>) -> Judgement {
        match self {
            Method::Lines => lines::judge(page, site, &lines::Settings::default()),
            Method::Svm => svm::judge(page, svm::shipped_model()),
            Method::TemplateSvm => template_svm::judge(page, site, svm::shipped_model()),
            Method::Correlation => correlation::judge(page),
            Method::Containers => containers::judge(page),
            Method::Blocks => text_blocks::judge(page, text_blocks::LinkText::Keep),
            Method::Density => density::judge(page),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for an unknown method name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown method {name:?}; known methods: {}", Method::ALL.map(Method::name).join(", "))]
pub struct UnknownMethod {
    /// The name that was asked for.
    pub name: String,
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Method, UnknownMethod> {
        let known = Method::ALL.into_iter().find(|method| method.name().eq_ignore_ascii_case(name));
        known.ok_or_else(|| UnknownMethod { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_back() {
        for method in Method::ALL {
            assert_eq!(method.name().parse(), Ok(method));
        }
        let error = "magic".parse::<Method>().unwrap_err();
        assert!(error.to_string().contains("lines, svm, template-svm"), "{error}");
    }
}

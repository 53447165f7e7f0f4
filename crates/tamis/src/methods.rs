//! The published methods, each in a file that reads like its paper.
//!
//! All have one signature: a page, and what is known of its site, give a judgement. `lines`, `template-svm`,
//! `correlation`, `containers` and `blocks` are the five that Tamis is built on, in their published form; `density`
//! and `svm` are what those papers compare themselves with.

pub mod block_tags;
pub mod containers;
pub(crate) mod copyright;
pub mod correlation;
pub mod density;
pub(crate) mod in_order;
pub mod lines;
pub mod rbf;
pub mod svm;
pub mod template_svm;
pub mod text_blocks;

use std::fmt;
use std::str::FromStr;

use crate::judgement::Judgement;
use crate::page::Page;
use crate::site::Site;

/// A method, by name.
///
/// ```
/// use tamis::{Method, Page, Site};
///
/// let page = Page::parse("<p>One sentence, and then another one. It goes on for a while, as texts do.");
/// let method: Method = "correlation".parse().unwrap();
/// let judgement = method.judge(&page, &Site::default());
/// assert_eq!(judgement.verdicts.len(), page.blocks().len());
/// assert_eq!((method.name(), method.uses_site(), method.prepares_text()), ("correlation", false, true));
/// for method in Method::ALL {
///     println!("{:13} {}", method.name(), method.about());
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Method {
    /// Punctuation share of lines, and lines that recur across a site ([`lines`]).
    Lines,
    /// Templates of a site, then an SVM over block tags ([`template_svm`]).
    TemplateSvm,
    /// Text per link of every node, smoothed ([`correlation`]).
    Correlation,
    /// Scores of containers ([`containers`]).
    Containers,
    /// Lengths of text blocks against two thresholds ([`text_blocks`]).
    Blocks,
    /// Text density with DensitySum ([`density`]).
    Density,
    /// The SVM over block tags alone ([`svm`]).
    Svm,
    /// All of it in one decision ([`fused`](crate::fused)).
    #[default]
    Fused,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 8] = [
        Method::Lines,
        Method::TemplateSvm,
        Method::Correlation,
        Method::Containers,
        Method::Blocks,
        Method::Density,
        Method::Svm,
        Method::Fused,
    ];

    /// The name by which it is asked for.
    pub fn name(self) -> &'static str {
        match self {
            Method::Lines => "lines",
            Method::TemplateSvm => "template-svm",
            Method::Correlation => "correlation",
            Method::Containers => "containers",
            Method::Blocks => "blocks",
            Method::Density => "density",
            Method::Svm => "svm",
            Method::Fused => "fused",
        }
    }

    /// What it does, in one line.
    pub fn about(self) -> &'static str {
        match self {
            Method::Lines => "punctuation share of lines; drops lines that recur across the site",
            Method::TemplateSvm => "drops leaf tags that recur across the site; then an SVM over block tags",
            Method::Correlation => "text per link of every node, smoothed by siblings and parent",
            Method::Containers => "scores containers by title words, punctuation, links and place",
            Method::Blocks => "a smoothed histogram of text-block lengths and two thresholds",
            Method::Density => "text density with DensitySum (2011)",
            Method::Svm => "an SVM over block tags",
            Method::Fused => "all of it, weighed by a learned model",
        }
    }

    /// Does it use what other pages of the site have shown?
    pub fn uses_site(self) -> bool {
        matches!(self, Method::Lines | Method::TemplateSvm | Method::Fused)
    }

    /// Does it write Arabic script in letters where the page has presentation forms ([`arabic`](crate::arabic))?
    pub fn prepares_text(self) -> bool {
        matches!(self, Method::Correlation | Method::Fused)
    }

    /// Judges the blocks of a page.
    pub fn judge(self, page: &Page<'_>, site: &Site) -> Judgement {
        match self {
            Method::Lines => lines::judge(page, site),
            Method::TemplateSvm => template_svm::judge(page, site),
            Method::Correlation => correlation::judge(page),
            Method::Containers => containers::judge(page),
            Method::Blocks => text_blocks::judge(page),
            Method::Density => density::judge(page),
            Method::Svm => svm::judge(page),
            Method::Fused => crate::fused::judge(page, site),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no method of this name.
///
/// ```
/// let error = "magic".parse::<tamis::Method>().unwrap_err();
/// assert_eq!(error.name, "magic");
/// assert!(error.to_string().contains("the methods are lines, template-svm"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no method {name:?}; the methods are {}", Method::ALL.map(Method::name).join(", "))]
pub struct UnknownMethod {
    /// What was asked for.
    pub name: String,
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Method, UnknownMethod> {
        let known = Method::ALL.into_iter().find(|method| method.name().eq_ignore_ascii_case(name));
        known.ok_or_else(|| UnknownMethod { name: name.to_owned() })
    }
}

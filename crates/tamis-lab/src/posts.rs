//! Correctness of the posts of a thread.

use serde::{Deserialize, Serialize};

use crate::author::bare;
use crate::overlap::Overlap;
use crate::set::Truth;
use crate::train::token_overlap;

/// Token F1 from which a post counts as found.
const SAME_POST: f64 = 0.8;

/// A post of a thread, in a truth or an output.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
pub struct Post {
    /// The text.
    #[serde(default)]
    pub text: String,
    /// The author: a name, or in truths the URL of a profile.
    #[serde(default)]
    pub author: Option<String>,
    /// The date, as the page shows it.
    #[serde(default, alias = "time_text")]
    pub date: Option<String>,
}

impl From<tamis::document::Post> for Post {
    fn from(post: tamis::document::Post) -> Post {
        Post { text: post.text, author: post.author, date: post.time_text }
    }
}

/// The scores of the posts of a page.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct PostScore {
    /// The posts: one is found if a post of the output has the same text.
    pub texts: Overlap,
    /// The share with the right author, of the found posts whose author is known.
    pub authors: Option<f64>,
    /// The share with the right time, likewise.
    pub times: Option<f64>,
}

impl PostScore {
    /// Compares posts with those of a truth. `None` if it has none.
    pub(crate) fn of(found: &[Post], wanted: &[Post]) -> Option<PostScore> {
        let mut left: Vec<&Post> = found.iter().collect();
        let (mut authors, mut times) = (Vec::new(), Vec::new());
        for post in wanted {
            let text = Truth { text: Some(post.text.clone()), ..Truth::default() };
            let same = |own: &&Post| {
                token_overlap(&text, "", &own.text).is_some_and(|overlap| overlap.f1() >= SAME_POST)
            };
            let Some(place) = left.iter().position(same) else { continue };
            let own = left.remove(place);
            // The address of a writer's page may have the name, but not behind a question mark.
            let author = post.author.as_deref().filter(|author| !author.contains('?'));
            authors.extend(author.map(|author| is_in(own.author.as_deref(), author)));
            let (date, time) = (own.date.as_deref(), post.date.as_deref());
            times.extend(time.map(|time| is_in(date, time) || is_in(Some(time), date.unwrap_or_default())));
        }
        let texts = Overlap { common: found.len() - left.len(), found: found.len(), wanted: wanted.len() };
        (!wanted.is_empty()).then(|| PostScore { texts, authors: share(&authors), times: share(&times) })
    }
}

/// Whether the letters and digits of a text are in another.
fn is_in(part: Option<&str>, whole: &str) -> bool {
    part.map(bare).is_some_and(|part| !part.is_empty() && bare(whole).contains(&part))
}

fn share(right: &[bool]) -> Option<f64> {
    let count = right.iter().filter(|right| **right).count();
    (!right.is_empty()).then(|| count as f64 / right.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn posts_are_found_by_text_and_judged_by_author_and_time() {
        let rain = "It rained all day in the harbour and the boats stayed at home";
        let snow = "It snowed on the bridge at noon and nobody went out to fish";
        let post = |text: &str, author: &str, date: &str| Post {
            text: text.to_owned(),
            author: (!author.is_empty()).then(|| author.to_owned()),
            date: (!date.is_empty()).then(|| date.to_owned()),
        };
        let truth = [post(rain, "/users/ada-finch/", "May 3, 2026"), post(snow, "member.php?u=bo", "")];
        let check = |found: &[Post]| {
            let score = PostScore::of(found, &truth).unwrap();
            ((score.texts.common, score.texts.found, score.texts.wanted), score.authors, score.times)
        };
        for (found, expected) in [
            (vec![], ((0, 0, 2), None, None)),
            (vec![post(snow, "Bo", "")], ((1, 1, 2), None, None)),
            (
                vec![post(snow, "", ""), post(rain, "Ada Finch", "on May 3, 2026 at 7")],
                ((2, 2, 2), Some(1.0), Some(1.0)),
            ),
            (vec![post(rain, "Cy", "May 3"), post(rain, "", "")], ((1, 2, 2), Some(0.0), Some(1.0))),
            (vec![post(rain, "", "May 4, 2026")], ((1, 1, 2), Some(0.0), Some(0.0))),
            (vec![post("It rained on the bridge at noon", "", "")], ((0, 1, 2), None, None)),
        ] {
            assert_eq!(check(&found), expected, "{found:?}");
        }
        assert_eq!(PostScore::of(&truth, &[]), None);
    }
}

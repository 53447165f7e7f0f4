//! Listings of which nothing would be kept. The trees have seen too few of them to be sure of any entry, but a page that is a list of
//! something has that list to say.

use super::PageType;
use crate::entries;
use crate::judgement::Judgement;
use crate::page::Page;

/// Where more of the words than this stand in links, the page leads to things and says nothing of them.
const LINKED: f32 = 0.9;

/// What is said of a block that is kept.
pub(super) const ENTRY: &str = "entry of a listing";

/// Keeps the entries of a listing, if nothing else is kept and more is said of them than their names.
pub(super) fn settle(page: &Page<'_>, page_type: PageType, judgement: &mut Judgement) {
    if page_type != PageType::Listing || judgement.kept().next().is_some() {
        return;
    }
    // Of several lists on a page, menus are the least probable.
    let highest = judgement.verdicts.iter().map(|verdict| verdict.score).fold(0.0, f32::max);
    let found = entries::find(page, |place| judgement.verdicts[place].score * 2.0 >= highest);
    let places: Vec<usize> = found
        .into_iter()
        .flat_map(|entry| entry.blocks)
        .filter(|at| page.blocks()[*at].hidden.is_none())
        .collect();
    let (mut words, mut linked) = (0, 0);
    for measures in places.iter().map(|at| &page.blocks()[*at].measures) {
        words += measures.text.words;
        linked += measures.link_text.words;
    }
    if words == 0 || linked as f32 >= LINKED * words as f32 {
        return;
    }
    for place in places {
        judgement.verdicts[place].keep = true;
        judgement.verdicts[place].why.push((ENTRY, 1.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::Verdict;

    fn kept(html: &str, page_type: PageType) -> usize {
        let page = Page::parse(html);
        let verdict = |score| Verdict { keep: false, score, why: Vec::new() };
        let blocks = page.blocks().iter();
        let verdicts =
            blocks.map(|block| verdict(if page.text(block).contains("Menu") { 0.02 } else { 0.2 }));
        let mut judgement = Judgement { verdicts: verdicts.collect(), ..Judgement::default() };
        settle(&page, page_type, &mut judgement);
        judgement.kept().count()
    }

    fn listing(said: &str) -> String {
        let menu: String = (0..9).map(|n| format!("<li><a href=/m{n}>Menu of the harbour {n}</a>")).collect();
        let goods: String = (0..4).map(|n| format!("<div><a href=/{n}>Kettle {n}</a>{said}</div>")).collect();
        format!("<ul>{menu}</ul>{goods}")
    }

    #[test]
    fn a_listing_came_back_empty() {
        assert_eq!(kept(&listing(" 20 crowns, of copper"), PageType::Listing), 4);
    }

    #[test]
    fn a_page_of_links_has_nothing_to_say_of_its_own() {
        assert_eq!(kept(&listing(""), PageType::Listing), 0);
    }

    #[test]
    fn what_is_no_listing_stays_as_it_is() {
        assert_eq!(kept(&listing(" 20 crowns, of copper"), PageType::Other), 0);
    }
}

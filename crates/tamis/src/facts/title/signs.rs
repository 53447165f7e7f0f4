//! The signs that speak for and against a text as the title, and what each weighs.

use std::fmt;

/// Declares the signs with their names and weights in one place.
macro_rules! signs {
    ($($sign:ident $name:literal $weight:literal,)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(in super::super) enum Sign { $($sign),* }

        const NAMES: &[&str] = &[$($name),*];
        const WEIGHTS: &[f32] = &[$($weight),*];
    };
}

signs! {
    H1 "h1" 0.94,
    OnlyH1 "only h1" 0.47,
    FirstH1 "first h1" -0.02,
    H1Near "h1 near" 0.45,
    PartOfH1 "part of h1" -0.09,
    H2Near "h2 near" 0.42,
    H3Near "h3 near" 0.04,
    H4Near "h4 near" -0.11,
    HighestNear "highest near" 0.28,
    HeadingImage "heading image" -1.00,
    HomeLink "home link" -1.72,
    Hidden "hidden" -0.57,
    Og "og" 0.74,
    OgCut "og cut" 0.81,
    Twitter "twitter" 0.16,
    TwitterCut "twitter cut" 0.12,
    Meta "meta" 0.33,
    MetaCut "meta cut" 0.34,
    JsonHeadline "json headline" 0.86,
    JsonName "json name" 0.07,
    Headline "headline" 1.48,
    Title "title" -0.15,
    TitleCut "title cut" -0.03,
    TitleHead "title head" 0.10,
    TitleTail "title tail" -0.59,
    TitleWithoutTail "title without tail" -0.34,
    TitleWithoutHead "title without head" -0.59,
    TitleLongest "title longest" 0.49,
    PartOfTitle "part of title" 0.92,
    InTitle "in title" 0.69,
    HoldsTitle "holds title" -0.67,
    SiteName "site name" -1.79,
    Remembered "on every page" -4.00,
    VeryShort "very short" -1.08,
    Short "short" 0.12,
    Long "long" -0.57,
    VeryLong "very long" -1.50,
    HasSeparator "separator" -0.84,
    SlugAgrees "slug agrees" 0.86,
    SlugDisagrees "slug disagrees" -0.68,
    NothingOfTitle "nothing of title" -1.18,
    MuchOfTitle "much of title" 0.70,
    FrontPage "front page" 1.51,
    ArticleH1 "article h1" 0.45,
    GoodsH1 "goods h1" -0.22,
    ThreadTitle "thread title" 5.00,
    BoardName "board name" -2.00,
    HeadShown "head of title below a name" 1.50,
    NameAbove "name above the head of title" -4.00,
    KnownName "name of the site, beside another part of title" -2.50,
    SlugHasOther "slug spells another part of title" -1.50,
    Feed "feed" 1.00,
    BlogName "called as a blog" -3.00,
    LineShown "a line at the head of the text" 1.20,
}

/// Added to every sum, so that a text with few signs still weighs something.
const BASE: f32 = 20.0;

/// The signs of one text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in super::super) struct Signs(u64);

impl Signs {
    pub(in super::super) fn add(&mut self, sign: Sign) {
        self.0 |= 1 << sign as u32;
    }

    pub(in super::super) fn has(self, sign: Sign) -> bool {
        self.0 & (1 << sign as u32) != 0
    }

    /// Is it the text of a heading?
    pub(in super::super) fn is_heading(self) -> bool {
        [Sign::H1, Sign::H2Near, Sign::H3Near, Sign::H4Near].into_iter().any(|it| self.has(it))
    }

    /// The sum of the weights.
    pub(in super::super) fn weight(self) -> f32 {
        let sum: f32 = WEIGHTS
            .iter()
            .enumerate()
            .filter(|(place, _)| self.0 & (1 << place) != 0)
            .map(|(_, weight)| weight)
            .sum();
        BASE + sum
    }
}

impl fmt::Display for Signs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (place, name) in NAMES.iter().enumerate() {
            if self.0 & (1 << place) != 0 {
                f.write_str(if first { "" } else { ", " })?;
                f.write_str(name)?;
                first = false;
            }
        }
        Ok(())
    }
}

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
    H1 "h1" 1.22,
    OnlyH1 "only h1" 0.52,
    FirstH1 "first h1" 0.04,
    H1Near "h1 near" 0.44,
    PartOfH1 "part of h1" 0.00,
    H2Near "h2 near" 0.38,
    H3Near "h3 near" 0.09,
    H4Near "h4 near" -0.05,
    HighestNear "highest near" 0.19,
    HeadingImage "heading image" -1.00,
    HomeLink "home link" -1.62,
    Hidden "hidden" -0.54,
    Og "og" 0.69,
    OgCut "og cut" 0.85,
    Twitter "twitter" 0.22,
    TwitterCut "twitter cut" 0.11,
    Meta "meta" 0.32,
    MetaCut "meta cut" 0.31,
    JsonHeadline "json headline" 0.91,
    JsonName "json name" 0.25,
    Headline "headline" 1.50,
    Title "title" 0.03,
    TitleCut "title cut" 0.14,
    TitleHead "title head" 0.17,
    TitleTail "title tail" -0.52,
    TitleWithoutTail "title without tail" -0.27,
    TitleWithoutHead "title without head" -0.52,
    TitleLongest "title longest" 0.39,
    PartOfTitle "part of title" 0.94,
    InTitle "in title" 0.73,
    HoldsTitle "holds title" -0.44,
    SiteName "site name" -2.31,
    VeryShort "very short" -1.05,
    Short "short" 0.04,
    Long "long" -0.53,
    VeryLong "very long" -1.50,
    HasSeparator "separator" -0.90,
    SlugAgrees "slug agrees" 0.79,
    SlugDisagrees "slug disagrees" -0.60,
    NothingOfTitle "nothing of title" -1.13,
    MuchOfTitle "much of title" 0.63,
    FrontPage "front page" 1.31,
    ArticleH1 "article h1" 0.40,
    GoodsH1 "goods h1" -0.28,
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

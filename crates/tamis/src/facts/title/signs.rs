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
    H1 "h1" 2.0,
    OnlyH1 "only h1" 1.0,
    FirstH1 "first h1" 0.5,
    H1Near "h1 near" 1.0,
    PartOfH1 "part of h1" 0.3,
    H2Near "h2 near" 0.4,
    H3Near "h3 near" 0.1,
    H4Near "h4 near" 0.0,
    HighestNear "highest near" 0.7,
    HeadingImage "heading image" -1.0,
    HomeLink "home link" -1.5,
    Hidden "hidden" -0.5,
    Og "og" 1.0,
    OgCut "og cut" 1.5,
    Twitter "twitter" 0.5,
    TwitterCut "twitter cut" 0.5,
    Meta "meta" 0.3,
    MetaCut "meta cut" 0.3,
    JsonHeadline "json headline" 1.2,
    JsonName "json name" 0.7,
    Headline "headline" 1.5,
    Title "title" 0.5,
    TitleCut "title cut" 1.5,
    TitleHead "title head" 0.5,
    TitleTail "title tail" -0.5,
    TitleWithoutTail "title without tail" 0.5,
    TitleWithoutHead "title without head" -0.5,
    TitleLongest "title longest" 0.3,
    PartOfTitle "part of title" 1.0,
    InTitle "in title" 0.8,
    HoldsTitle "holds title" -0.2,
    SiteName "site name" -3.0,
    VeryShort "very short" -1.0,
    Short "short" -0.3,
    Long "long" -0.5,
    VeryLong "very long" -1.5,
    HasSeparator "separator" -0.8,
    SlugAgrees "slug agrees" 0.7,
    SlugDisagrees "slug disagrees" -0.5,
    NothingOfTitle "nothing of title" -1.0,
    MuchOfTitle "much of title" 0.5,
    FrontPage "front page" 1.0,
    ArticleH1 "article h1" 0.5,
    GoodsH1 "goods h1" -0.3,
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
        let sum: f32 = WEIGHTS.iter().enumerate().filter(|(place, _)| self.0 & (1 << place) != 0).map(|(_, weight)| weight).sum();
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

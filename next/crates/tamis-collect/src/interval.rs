//! When to visit a URL again: sooner after a change, later after none.

use std::time::Duration;

/// What is revisited.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Revisited {
    /// An RSS, Atom or JSON feed.
    Feed,
    /// A front or section page.
    Listing,
    /// A sitemap or sitemap index.
    Sitemap,
    /// A story.
    Story,
}

/// Bounds of the revisit interval.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// Shortest interval.
    pub min: Duration,
    /// Longest interval.
    pub max: Duration,
}

impl Default for Interval {
    /// Ten minutes to thirty days.
    fn default() -> Interval {
        Interval { min: Duration::from_secs(10 * 60), max: Duration::from_secs(30 * 24 * 3600) }
    }
}

impl Interval {
    /// The interval after a first visit, when nothing is known about how often the URL changes.
    pub fn first(&self, kind: Revisited) -> Duration {
        let minutes = match kind {
            Revisited::Feed => 30,
            Revisited::Listing => 60,
            Revisited::Sitemap => 6 * 60,
            Revisited::Story => 24 * 60,
        };
        self.bound(Duration::from_secs(minutes * 60))
    }

    /// The next interval: half the previous one after a change, half as long again after none.
    pub fn next(&self, kind: Revisited, previous: Option<Duration>, changed: bool) -> Duration {
        let Some(previous) = previous else { return self.first(kind) };
        let previous = self.bound(previous);
        self.bound(if changed { previous / 2 } else { previous.saturating_add(previous / 2) })
    }

    /// Clamps; a `max` below `min` counts as `min`.
    fn bound(&self, interval: Duration) -> Duration {
        interval.min(self.max).max(self.min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn intervals_halve_on_change_and_grow_by_half_otherwise_within_bounds() {
        let bounds = Interval { min: 10 * MINUTE, max: 100 * MINUTE };
        for (previous, changed, next) in [
            (Some(40), true, 20),
            (Some(40), false, 60),
            (Some(12), true, 10),
            (Some(90), false, 100),
            (Some(u32::MAX), false, 100),
            (Some(0), true, 10),
            (None, true, 30),
            (None, false, 30),
        ] {
            let next_interval = bounds.next(Revisited::Feed, previous.map(|it| it * MINUTE), changed);
            assert_eq!(next_interval, next * MINUTE, "{previous:?} {changed}");
        }
    }

    #[test]
    fn first_intervals_follow_the_kind_and_the_bounds() {
        let [feed, listing, sitemap, story] =
            [Revisited::Feed, Revisited::Listing, Revisited::Sitemap, Revisited::Story]
                .map(|kind| Interval::default().first(kind));
        assert!(feed < listing && listing < sitemap && sitemap < story);
        let narrow = Interval { min: MINUTE, max: 2 * MINUTE };
        assert_eq!(narrow.first(Revisited::Story), 2 * MINUTE);
        let upside_down = Interval { min: 5 * MINUTE, max: MINUTE };
        assert_eq!(upside_down.first(Revisited::Story), 5 * MINUTE);
    }
}

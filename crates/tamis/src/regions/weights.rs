//! Weight tables: scores as sums of named features, with weights in `data/weights/`.

use std::sync::LazyLock;

/// Weights of features by role.
pub(super) struct Weights {
    /// Role, feature, weight.
    entries: Vec<(&'static str, &'static str, f32)>,
}

/// The weights of posts, comments and entries.
pub(super) static POST_ROLES: LazyLock<Weights> =
    LazyLock::new(|| Weights::parse(include_str!("../../data/weights/post-roles.tsv")));

impl Weights {
    fn parse(lines: &'static str) -> Weights {
        let entry = |line: &'static str| {
            let mut fields = line.split('\t');
            Some((fields.next()?, fields.next()?, fields.next()?.trim().parse().ok()?))
        };
        Weights { entries: lines.lines().filter(|line| !line.starts_with('#')).filter_map(entry).collect() }
    }

    /// The weight of one feature, or 0.
    pub(super) fn weight(&self, role: &str, feature: &str) -> f32 {
        let found = self.entries.iter().find(|entry| entry.0 == role && entry.1 == feature);
        found.map_or(0.0, |entry| entry.2)
    }

    /// The weighted sum of `values`, which belong to the features `names`.
    pub(super) fn score(&self, role: &str, names: &[&str], values: &[f32]) -> f32 {
        let value =
            |feature: &str| names.iter().position(|name| *name == feature).map_or(0.0, |at| values[at]);
        self.entries.iter().filter(|entry| entry.0 == role).map(|entry| entry.2 * value(entry.1)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{body, items, listing, roles};
    use super::*;

    #[test]
    fn every_weight_belongs_to_a_known_feature() {
        assert!(POST_ROLES.entries.len() > 20);
        for (role, feature, weight) in &POST_ROLES.entries {
            let known = match *role {
                "body" => &body::FEATURES[..],
                "thread" | "comments" => &items::FEATURES[..],
                "author" | "time" | "number" | "title" => &roles::FEATURES[..],
                "listing" => &listing::FEATURES[..],
                other => panic!("unknown role {other}"),
            };
            assert!(known.contains(feature), "{role}: {feature}");
            assert!(weight.is_finite());
        }
    }
}

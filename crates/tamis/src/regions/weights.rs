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

    /// The weights of a role, for values of the features `names`.
    pub(super) fn of(&self, role: &str, names: &[&str]) -> RoleWeights {
        let place = |feature: &str| names.iter().position(|name| *name == feature);
        let own = self.entries.iter().filter(|entry| entry.0 == role);
        RoleWeights(own.filter_map(|entry| Some((place(entry.1)?, entry.2))).collect())
    }
}

/// The weights of one role by the place of their feature.
pub(super) struct RoleWeights(Vec<(usize, f32)>);

impl RoleWeights {
    /// The weighted sum of the values of all features.
    pub(super) fn score(&self, values: &[f32]) -> f32 {
        self.0.iter().map(|(place, weight)| weight * values[*place]).sum()
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

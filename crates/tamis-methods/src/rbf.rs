//! Prediction of a support vector machine with an RBF kernel, from a model file of LIBSVM.

use thiserror::Error;

/// Why a model file is rejected.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// Another kind of model.
    #[error("`{0}`: need a classifier of the classes 1 and 0 with an RBF kernel")]
    Unsupported(String),
    /// A malformed line.
    #[error("line {0} of the SVM model is malformed")]
    Line(usize),
    /// A missing header field.
    #[error("the SVM model has no `{0}`")]
    Missing(&'static str),
}

/// A classifier of two classes, 1 and 0, over five features. Parses from the text of a LIBSVM model file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Model {
    gamma: f64,
    rho: f64,
    /// Support vectors with their weights.
    vectors: Vec<([f64; 5], f64)>,
}

impl Model {
    /// The decision value: positive for class 1.
    pub fn decision(&self, features: &[f64; 5]) -> f64 {
        let mut sum = -self.rho;
        for (vector, weight) in &self.vectors {
            let distance: f64 = vector.iter().zip(features).map(|(a, b)| (a - b) * (a - b)).sum();
            sum += weight * libm::exp(-self.gamma * distance);
        }
        sum
    }
}

impl std::str::FromStr for Model {
    type Err = ModelError;

    fn from_str(text: &str) -> Result<Model, ModelError> {
        let mut lines = text.strip_prefix('\u{FEFF}').unwrap_or(text).lines().enumerate();
        let (mut gamma, mut rho, mut sign) = (None, None, None);
        for (number, line) in lines.by_ref() {
            let (key, value) = line.trim_end().split_once(' ').unwrap_or((line.trim_end(), ""));
            let as_number = || value.parse::<f64>().map_err(|_| ModelError::Line(number + 1));
            match (key, value) {
                ("SV", _) => break,
                ("gamma", _) => gamma = Some(as_number()?),
                ("rho", _) => rho = Some(as_number()?),
                // A positive decision value means the label named first.
                ("label", "1 0") => sign = Some(1.0),
                ("label", "0 1") => sign = Some(-1.0),
                ("svm_type", "c_svc") | ("kernel_type", "rbf") | ("nr_class", "2") => {}
                ("total_sv" | "nr_sv" | "probA" | "probB", _) => {}
                ("svm_type" | "kernel_type" | "nr_class" | "label", _) => {
                    return Err(ModelError::Unsupported(line.to_owned()));
                }
                _ => return Err(ModelError::Line(number + 1)),
            }
        }
        let sign: f64 = sign.ok_or(ModelError::Missing("label"))?;
        let gamma = gamma.ok_or(ModelError::Missing("gamma"))?;
        let rho = sign * rho.ok_or(ModelError::Missing("rho"))?;
        let mut vectors = Vec::new();
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let (vector, weight) = parse_vector(line).ok_or(ModelError::Line(number + 1))?;
            vectors.push((vector, sign * weight));
        }
        Ok(Model { gamma, rho, vectors })
    }
}

/// Parses `weight 1:value 3:value`: one-based features, zeros may be left out.
fn parse_vector(line: &str) -> Option<([f64; 5], f64)> {
    let mut words = line.split_whitespace();
    let weight = words.next()?.parse().ok()?;
    let mut vector = [0.0; 5];
    for word in words {
        let (index, value) = word.split_once(':')?;
        let index: usize = index.parse().ok()?;
        *vector.get_mut(index.checked_sub(1)?)? = value.parse().ok()?;
    }
    Some((vector, weight))
}

#[cfg(test)]
mod tests {
    use libsvm_rs::SvmNode;
    use libsvm_rs::io::load_model_from_reader;
    use libsvm_rs::predict::predict_values;

    use super::*;

    const SHIPPED: &str = include_str!("../data/block_tags.svm");

    #[test]
    fn decides_as_libsvm_does() {
        let ours: Model = SHIPPED.parse().unwrap();
        let theirs = load_model_from_reader(SHIPPED.as_bytes()).unwrap();
        assert_eq!(ours.vectors.len(), theirs.sv.len());
        // All corners and the midpoints between them.
        for point in 0..3_u32.pow(5) {
            let features: [f64; 5] =
                std::array::from_fn(|i| f64::from(point / 3_u32.pow(i as u32) % 3) / 2.0);
            let nodes: Vec<_> =
                features.iter().zip(1..).map(|(&value, index)| SvmNode { index, value }).collect();
            let mut values = [0.0];
            let class = predict_values(&theirs, &nodes, &mut values);
            let decision = ours.decision(&features);
            let expected = if theirs.label[0] == 1 { values[0] } else { -values[0] };
            assert!((decision - expected).abs() < 1e-9, "{features:?}: {decision} is not {expected}");
            assert_eq!(decision > 0.0, class == 1.0);
        }
    }

    #[test]
    fn other_models_are_rejected() {
        let head = "svm_type c_svc\nkernel_type rbf\ngamma 1\nrho 0\nlabel 1 0\nSV\n";
        assert!(head.parse::<Model>().unwrap().vectors.is_empty());
        for (text, error) in [
            (head.replace("rbf", "linear"), ModelError::Unsupported("kernel_type linear".into())),
            (head.replace("label 1 0", "label 1 0 2"), ModelError::Unsupported("label 1 0 2".into())),
            (head.replace("rho 0\n", ""), ModelError::Missing("rho")),
            (head.replace("gamma 1", "gamma x"), ModelError::Line(3)),
            (format!("{head}1 6:1\n"), ModelError::Line(7)),
            (format!("{head}1 0:1\n"), ModelError::Line(7)),
            (String::new(), ModelError::Missing("label")),
        ] {
            assert_eq!(text.parse::<Model>(), Err(error));
        }
    }
}

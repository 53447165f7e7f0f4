//! A support vector machine with a radial basis kernel, as LIBSVM writes it down: reading and asking, not training.
//!
//! Training needs a solver, asking needs a sum. The library has the sum only; models come from
//! `tamis train --method svm`, which uses a full implementation of LIBSVM.

use thiserror::Error;

/// Why a model cannot be read.
///
/// ```
/// use tamis::methods::rbf::{Model, ModelError};
///
/// let error = "svm_type epsilon_svr\n".parse::<Model>().unwrap_err();
/// assert_eq!(error, ModelError::Unsuitable("svm_type epsilon_svr".into()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ModelError {
    /// It is for something else.
    #[error("`{0}` is not that of a classifier of two classes with an RBF kernel")]
    Unsuitable(String),
    /// A line is not as LIBSVM writes it.
    #[error("line {0} is not understood")]
    Line(usize),
    /// Nothing says where the classes part, or which are which.
    #[error("`{0}` is missing")]
    Missing(&'static str),
}

/// A classifier of two classes, 1 and 0, over five features.
///
/// ```
/// use tamis::methods::rbf::Model;
///
/// let model: Model = "svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 0\n\
///     nr_sv 1 1\nSV\n1 1:1\n-1 1:0\n".parse()?;
/// assert!(model.decision(&[0.9, 0.0, 0.0, 0.0, 0.0]) > 0.0);
/// assert!(model.decision(&[0.1, 0.0, 0.0, 0.0, 0.0]) < 0.0);
/// assert_eq!((model.len(), model.is_empty()), (2, false));
/// # Ok::<(), tamis::methods::rbf::ModelError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Model {
    gamma: f64,
    rho: f64,
    vectors: Vec<([f64; 5], f64)>,
}

impl Model {
    /// The decision value: over 0 for class 1.
    pub fn decision(&self, features: &[f64; 5]) -> f64 {
        let sum = |sum: f64, (vector, weight): &([f64; 5], f64)| {
            let distance: f64 = vector.iter().zip(features).map(|(a, b)| (a - b) * (a - b)).sum();
            sum + weight * (-self.gamma * distance).exp()
        };
        self.vectors.iter().fold(-self.rho, sum)
    }

    /// How many support vectors it has.
    pub fn len(&self) -> usize {
        self.vectors.len()
    }

    /// Has it no support vectors? Then all is one class.
    pub fn is_empty(&self) -> bool {
        self.vectors.is_empty()
    }
}

impl std::str::FromStr for Model {
    type Err = ModelError;

    fn from_str(text: &str) -> Result<Model, ModelError> {
        let mut lines = text.lines().enumerate();
        let (mut gamma, mut rho, mut sign) = (None, None, None);
        for (number, line) in lines.by_ref() {
            let (key, value) = line.trim_end().split_once(' ').unwrap_or((line.trim_end(), ""));
            let as_number = || value.parse::<f64>().map_err(|_| ModelError::Line(number + 1));
            match (key, value) {
                ("SV", _) => break,
                ("gamma", _) => gamma = Some(as_number()?),
                ("rho", _) => rho = Some(as_number()?),
                // Over 0 is the class that is named first.
                ("label", "1 0") => sign = Some(1.0),
                ("label", "0 1") => sign = Some(-1.0),
                ("svm_type", "c_svc") | ("kernel_type", "rbf") | ("nr_class", "2") => {}
                ("total_sv" | "nr_sv" | "probA" | "probB", _) => {}
                ("svm_type" | "kernel_type" | "nr_class" | "label", _) => {
                    return Err(ModelError::Unsuitable(line.to_owned()));
                }
                _ => return Err(ModelError::Line(number + 1)),
            }
        }
        let sign: f64 = sign.ok_or(ModelError::Missing("label"))?;
        let mut vectors = Vec::new();
        for (number, line) in lines {
            if !line.trim().is_empty() {
                let (vector, weight) = vector(line).ok_or(ModelError::Line(number + 1))?;
                vectors.push((vector, sign * weight));
            }
        }
        let gamma = gamma.ok_or(ModelError::Missing("gamma"))?;
        Ok(Model { gamma, rho: sign * rho.ok_or(ModelError::Missing("rho"))?, vectors })
    }
}

/// `weight 1:value 3:value`: features count from one, those that are zero may be left out.
fn vector(line: &str) -> Option<([f64; 5], f64)> {
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

    const SHIPPED: &str = include_str!("../../models/block_tags.svm");

    #[test]
    fn it_decides_as_libsvm_does() {
        let ours: Model = SHIPPED.parse().unwrap();
        let theirs = load_model_from_reader(SHIPPED.as_bytes()).unwrap();
        assert_eq!(ours.len(), theirs.sv.len());
        // All corners and the middles between them.
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
    fn what_is_shipped_is_small() {
        assert!(SHIPPED.len() < 200_000);
        assert!(SHIPPED.parse::<Model>().unwrap().len() < 1_000);
    }

    #[test]
    fn other_models_are_refused() {
        let head = "svm_type c_svc\nkernel_type rbf\ngamma 1\nrho 0\nlabel 1 0\nSV\n";
        assert!(head.parse::<Model>().unwrap().is_empty());
        let error = |text: &str| text.parse::<Model>().unwrap_err();
        assert_eq!(
            error(&head.replace("rbf", "linear")),
            ModelError::Unsuitable("kernel_type linear".into())
        );
        assert_eq!(
            error(&head.replace("label 1 0", "label 1 0 2")),
            ModelError::Unsuitable("label 1 0 2".into())
        );
        assert_eq!(error(&head.replace("rho 0\n", "")), ModelError::Missing("rho"));
        assert_eq!(error(&head.replace("gamma 1", "gamma x")), ModelError::Line(3));
        assert_eq!(error(&format!("{head}1 6:1\n")), ModelError::Line(7));
        assert_eq!(error(&format!("{head}1 0:1\n")), ModelError::Line(7));
        assert_eq!(error(""), ModelError::Missing("label"));
    }
}

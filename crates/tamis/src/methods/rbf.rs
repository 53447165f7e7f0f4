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
    vectors: Vec<Eight>,
    /// How many vectors there are; the last eight may not be full.
    len: usize,
}

/// How many vectors are looked at together: processors compute with several numbers at a time.
const LANES: usize = 8;

/// Support vectors, by feature, and their weights. Where there is none the weight is 0.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Eight {
    values: [[f64; LANES]; 5],
    weights: [f64; LANES],
}

impl Model {
    /// The decision value: over 0 for class 1.
    #[allow(clippy::needless_range_loop, reason = "lanes by number become vectors under every profile")]
    pub fn decision(&self, features: &[f64; 5]) -> f64 {
        let mut sum = -self.rho;
        for Eight { values, weights } in &self.vectors {
            let mut powers = [0.0; LANES];
            for i in 0..features.len() {
                for lane in 0..LANES {
                    let difference = values[i][lane] - features[i];
                    powers[lane] += difference * difference;
                }
            }
            for power in &mut powers {
                *power *= -self.gamma;
            }
            exp(&mut powers);
            for lane in 0..LANES {
                sum += weights[lane] * powers[lane];
            }
        }
        sum
    }

    /// How many support vectors it has.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Has it no support vectors? Then all is one class.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn add(&mut self, vector: [f64; 5], weight: f64) {
        let lane = self.len % LANES;
        if lane == 0 {
            self.vectors.push(Eight::default());
        }
        if let Some(last) = self.vectors.last_mut() {
            vector.iter().zip(&mut last.values).for_each(|(value, of_feature)| of_feature[lane] = *value);
            last.weights[lane] = weight;
        }
        self.len += 1;
    }
}

/// e to powers of 0 or less, to within the last bit or two; below -700 as if they were that. Without tables or branches
/// and step by step for all, so that several are computed at a time, and on every machine alike.
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "lanes by number become vectors under every profile")]
fn exp(powers: &mut [f64; LANES]) {
    const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    /// Added to a number, it leaves the nearest whole one in the last bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    /// 1 / n!, the last first.
    const FACTORS: [f64; 14] = [
        1.0 / 6_227_020_800.0,
        1.0 / 479_001_600.0,
        1.0 / 39_916_800.0,
        1.0 / 3_628_800.0,
        1.0 / 362_880.0,
        1.0 / 40_320.0,
        1.0 / 5_040.0,
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        1.0 / 2.0,
        1.0,
        1.0,
    ];
    let (mut rounded, mut rest, mut sums) = ([0.0; LANES], [0.0; LANES], [FACTORS[0]; LANES]);
    for lane in 0..LANES {
        let power = if powers[lane] > -700.0 { powers[lane] } else { -700.0 };
        rounded[lane] = power * std::f64::consts::LOG2_E + ROUND;
        let twos = rounded[lane] - ROUND;
        rest[lane] = (power - twos * LN_2_HIGH) - twos * LN_2_LOW;
    }
    for n in 1..FACTORS.len() {
        for lane in 0..LANES {
            sums[lane] = sums[lane] * rest[lane] + FACTORS[n];
        }
    }
    for lane in 0..LANES {
        powers[lane] = f64::from_bits(sums[lane].to_bits().wrapping_add(rounded[lane].to_bits() << 52));
    }
}

impl std::str::FromStr for Model {
    type Err = ModelError;

    fn from_str(text: &str) -> Result<Model, ModelError> {
        // Some editors put a byte-order mark before a text.
        let mut lines = text.strip_prefix('\u{FEFF}').unwrap_or(text).lines().enumerate();
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
        let gamma = gamma.ok_or(ModelError::Missing("gamma"))?;
        let rho = sign * rho.ok_or(ModelError::Missing("rho"))?;
        let mut model = Model { gamma, rho, ..Model::default() };
        for (number, line) in lines {
            if !line.trim().is_empty() {
                let (vector, weight) = vector(line).ok_or(ModelError::Line(number + 1))?;
                model.add(vector, sign * weight);
            }
        }
        Ok(model)
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
    #[allow(clippy::disallowed_methods, reason = "it is compared with them")]
    fn our_exp_is_that_of_the_library() {
        let ours = |power: f64| {
            let mut powers = [power; LANES];
            exp(&mut powers);
            powers[LANES - 1]
        };
        for step in 0..70_000 {
            let power = -f64::from(step) / 100.3;
            let (ours, theirs) = (ours(power), power.exp());
            assert!((ours - theirs).abs() <= 4e-16 * theirs, "{power}: {ours} is not {theirs}");
        }
        assert_eq!((ours(0.0), ours(-1e9)), (1.0, ours(-700.0)));
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

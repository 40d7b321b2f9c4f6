//! Samples and their targets in memory that Python has.

use netfold_glm::{Csr, Dense, Error, Samples, Targets};
use pyo3::buffer::{Element, PyBuffer};
use pyo3::prelude::*;

use crate::errors::named;

/// Samples with their targets, which training goes over. The object keeps the arrays alive.
#[pyclass(name = "GlmSamples", module = "netfold._native", frozen)]
pub(crate) struct PyGlmSamples {
    features: usize,
    values: PyBuffer<f32>,
    /// Row bounds and columns, of sparse samples.
    places: Option<(PyBuffer<u64>, PyBuffer<u32>)>,
    targets: Kind,
    weights: Option<PyBuffer<f32>>,
    class_weights: Option<PyBuffer<f32>>,
    /// True for each sample that is held back, if some are.
    held: Option<Vec<bool>>,
}

enum Kind {
    Classes { labels: PyBuffer<u32>, classes: u32 },
    Values(PyBuffer<f32>),
}

#[pymethods]
impl PyGlmSamples {
    /// Borrows arrays. `values` are f32: `rows x features`, or the entries of CSR with `indptr`
    /// (u64) and `indices` (u32). `targets` are labels (u32) below `classes`, or numbers (f32) if
    /// `classes` is `None`. `weights` and `class_weights` are f32. `held` is u8, not 0 for each
    /// sample to hold back.
    #[new]
    #[pyo3(signature = (features, values, targets, *, classes = None, indptr = None, indices = None, weights = None, class_weights = None, held = None))]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn new(
        py: Python<'_>,
        features: usize,
        values: &Bound<'_, PyAny>,
        targets: &Bound<'_, PyAny>,
        classes: Option<u32>,
        indptr: Option<&Bound<'_, PyAny>>,
        indices: Option<&Bound<'_, PyAny>>,
        weights: Option<&Bound<'_, PyAny>>,
        class_weights: Option<&Bound<'_, PyAny>>,
        held: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let places = match (indptr, indices) {
            (Some(indptr), Some(indices)) => {
                Some((buffer(indptr, "indptr")?, buffer(indices, "indices")?))
            }
            (None, None) => None,
            _ => {
                return Err(named(
                    py,
                    "ConfigurationError",
                    "give indptr and indices, or neither".into(),
                ));
            }
        };
        Ok(Self {
            features,
            values: buffer(values, "values")?,
            places,
            targets: match classes {
                Some(classes) => Kind::Classes { labels: buffer(targets, "targets")?, classes },
                None => Kind::Values(buffer(targets, "targets")?),
            },
            weights: weights.map(|weights| buffer(weights, "weights")).transpose()?,
            class_weights: class_weights
                .map(|weights| buffer(weights, "class_weights"))
                .transpose()?,
            held: held
                .map(|held| {
                    PyResult::Ok(
                        copied::<u8>(held, "held")?.iter().map(|&held| held != 0).collect(),
                    )
                })
                .transpose()?,
        })
    }
}

/// A worker's share of the rows, whose bounds begin with 0 as they should.
pub(crate) struct Share<'a> {
    of: &'a PyGlmSamples,
    rows: std::ops::Range<usize>,
    indptr: Vec<u64>,
}

impl PyGlmSamples {
    pub(crate) fn is_sparse(&self) -> bool {
        self.places.is_some()
    }

    /// Features of each sample.
    pub(crate) fn features(&self) -> usize {
        self.features
    }

    /// All samples, checked.
    pub(crate) fn samples(&self) -> Result<Samples<'_>, Error> {
        Ok(match &self.places {
            Some((indptr, indices)) => Samples::Csr(Csr::new(
                self.features,
                slice(indptr),
                slice(indices),
                slice(&self.values),
            )?),
            None => Samples::Dense(Dense::new(slice(&self.values), self.features)?),
        })
    }

    /// All targets, checked.
    pub(crate) fn targets(&self) -> Result<Targets<'_>, Error> {
        self.targets_of(0..self.target_count())
    }

    /// Part `rank` of `workers` of the rows; the parts differ in length by one at most.
    pub(crate) fn share(&self, rank: usize, workers: usize) -> Share<'_> {
        let count = self.target_count();
        let rows = count * rank / workers..count * (rank + 1) / workers;
        let indptr = self.places.as_ref().map_or_else(Vec::new, |(indptr, _)| {
            let bounds = &slice(indptr)[rows.start..=rows.end];
            bounds.iter().map(|bound| bound - bounds[0]).collect()
        });
        Share { of: self, rows, indptr }
    }

    fn target_count(&self) -> usize {
        match &self.targets {
            Kind::Classes { labels, .. } => labels.item_count(),
            Kind::Values(values) => values.item_count(),
        }
    }

    fn targets_of(&self, rows: std::ops::Range<usize>) -> Result<Targets<'_>, Error> {
        let targets = match &self.targets {
            Kind::Classes { labels, classes } => {
                Targets::classes(&slice(labels)[rows.clone()], *classes)?
            }
            Kind::Values(values) => Targets::values(&slice(values)[rows.clone()])?,
        };
        let targets = match &self.weights {
            Some(weights) => targets.weighted(&slice(weights)[rows.clone()])?,
            None => targets,
        };
        let targets = match &self.held {
            Some(held) => targets.holding_back(&held[rows])?,
            None => targets,
        };
        match &self.class_weights {
            Some(weights) => targets.class_weighted(slice(weights)),
            None => Ok(targets),
        }
    }
}

impl Share<'_> {
    /// Its first row among all of them.
    pub(crate) fn first_row(&self) -> usize {
        self.rows.start
    }

    /// Its samples. All of them must have been checked before.
    pub(crate) fn samples(&self) -> Result<Samples<'_>, Error> {
        let of = self.of;
        Ok(match &of.places {
            Some((indptr, indices)) => {
                let bounds = slice(indptr);
                let entries = bounds[self.rows.start] as usize..bounds[self.rows.end] as usize;
                let (indices, values) =
                    (&slice(indices)[entries.clone()], &slice(&of.values)[entries]);
                Samples::Csr(Csr::new(of.features, &self.indptr, indices, values)?)
            }
            None => {
                let values =
                    &slice(&of.values)[self.rows.start * of.features..self.rows.end * of.features];
                Samples::Dense(Dense::new(values, of.features)?)
            }
        })
    }

    /// Its targets.
    pub(crate) fn targets(&self) -> Result<Targets<'_>, Error> {
        self.of.targets_of(self.rows.clone())
    }
}

/// A copy of an array.
pub(crate) fn copied<T: Element>(array: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<T>> {
    Ok(slice(&buffer(array, what)?).to_vec())
}

fn buffer<T: Element>(array: &Bound<'_, PyAny>, what: &str) -> PyResult<PyBuffer<T>> {
    let refused = |message: String| named(array.py(), "ConfigurationError", message);
    let buffer = PyBuffer::get(array).map_err(|error| refused(format!("{what}: {error}")))?;
    if buffer.is_c_contiguous() {
        Ok(buffer)
    } else {
        Err(refused(format!(
            "{what} has gaps between its rows; pass numpy.ascontiguousarray({what})"
        )))
    }
}

fn slice<T: Element>(buffer: &PyBuffer<T>) -> &[T] {
    if buffer.item_count() == 0 {
        return &[];
    }
    // SAFETY: the buffer has been checked to be without gaps and of this type, holds on to its
    // memory as long as it lives, and its address is aligned for the type (`PyBuffer::get`). Nobody
    // writes to it while a call has it: the Python layer lends arrays that it has made or that its
    // caller leaves alone (`netfold/glm/samples.py`).
    unsafe { std::slice::from_raw_parts(buffer.buf_ptr().cast::<T>(), buffer.item_count()) }
}

//! A trained model, between NumPy and its file.

use netfold_glm::{Error, FeatureScaling, Loss, Model};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};

use super::settings::{scaling_name, scaling_of};
use super::{exception, samples};
use crate::errors::named;

/// Coefficients and intercepts of a linear model, with its loss, classes and scaling.
#[pyclass(name = "GlmModel", module = "netfold._native", frozen)]
pub(crate) struct PyGlmModel {
    model: Model,
}

#[pymethods]
impl PyGlmModel {
    /// Creates a model from `coefficients` (f32, `outputs x features`) and `intercepts` (f64);
    /// `classes` is `None` for numbers. `scaling` (f32, `features x 2`) and `scaling_kind`
    /// (`unit` or `symmetric`) tell how features were quantised.
    #[new]
    #[pyo3(signature = (coefficients, intercepts, *, loss, classes = None, scaling = None, scaling_kind = None))]
    fn new(
        py: Python<'_>,
        coefficients: &Bound<'_, PyAny>,
        intercepts: &Bound<'_, PyAny>,
        loss: &str,
        classes: Option<u32>,
        scaling: Option<&Bound<'_, PyAny>>,
        scaling_kind: Option<&str>,
    ) -> PyResult<Self> {
        let coefficients: Vec<f32> = samples::copied(coefficients, "coefficients")?;
        let intercepts: Vec<f64> = samples::copied(intercepts, "intercepts")?;
        let loss =
            LOSSES.iter().find(|(name, _)| *name == loss).map(|(_, loss)| *loss).ok_or_else(
                || {
                    named(
                        py,
                        "ConfigurationError",
                        format!("loss={loss:?} is not known; choose {}", names()),
                    )
                },
            )?;
        let scaling = match (scaling, scaling_kind.map(scaling_of)) {
            (None, None) => None,
            (Some(scaling), Some(Some(kind))) => {
                Some(FeatureScaling { kind, features: pairs(scaling)? })
            }
            _ => {
                let message = "pass a scaling with its kind (unit or symmetric), or neither";
                return Err(named(py, "ConfigurationError", message.into()));
            }
        };
        let features = coefficients.len() / intercepts.len().max(1);
        Ok(Self { model: Model { features, coefficients, intercepts, loss, classes, scaling } })
    }

    /// Reads a model from the bytes of a file (R-GLM-29).
    #[staticmethod]
    fn read(py: Python<'_>, file: &[u8]) -> PyResult<Self> {
        Model::load(file).map(Self::of).map_err(|error| exception(py, &error))
    }

    /// Returns the model as the bytes of a file (R-GLM-29).
    fn file<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut file = Vec::new();
        self.model.save(&mut file).map_err(|error: Error| exception(py, &error))?;
        Ok(PyBytes::new(py, &file))
    }

    #[getter]
    fn features(&self) -> usize {
        self.model.features
    }

    #[getter]
    fn loss(&self) -> &'static str {
        LOSSES.iter().find(|(_, loss)| *loss == self.model.loss).map_or("", |(name, _)| name)
    }

    #[getter]
    fn classes(&self) -> Option<u32> {
        self.model.classes
    }

    /// Coefficients: f32, `outputs x features`.
    #[getter]
    fn coefficients<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let coefficients = &self.model.coefficients;
        PyBytes::new_with(py, size_of_val(coefficients.as_slice()), |bytes| {
            let places = bytes.as_chunks_mut().0.iter_mut();
            places.zip(coefficients).for_each(|(place, value)| *place = value.to_ne_bytes());
            Ok(())
        })
    }

    /// Intercepts: f64, one for each output.
    #[getter]
    fn intercepts<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes: Vec<_> = self.model.intercepts.iter().map(|value| value.to_ne_bytes()).collect();
        PyBytes::new(py, bytes.as_flattened())
    }

    /// Scaling: f32, `features x 2`, low and span of each feature; or `None`.
    #[getter]
    fn scaling<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyByteArray>>> {
        let Some(scaling) = &self.model.scaling else { return Ok(None) };
        let bytes = PyByteArray::new_with(py, size_of_val(scaling.features.as_slice()), |bytes| {
            let places = bytes.as_chunks_mut::<4>().0.as_chunks_mut::<2>().0.iter_mut();
            places
                .zip(&scaling.features)
                .for_each(|(place, (low, span))| *place = [low.to_ne_bytes(), span.to_ne_bytes()]);
            Ok(())
        })?;
        Ok(Some(bytes))
    }

    /// Range that the integers cover: `unit` or `symmetric`; or `None`.
    #[getter]
    fn scaling_kind(&self) -> Option<&'static str> {
        self.model.scaling.as_ref().map(|scaling| scaling_name(scaling.kind))
    }
}

impl PyGlmModel {
    pub(crate) fn of(model: Model) -> Self {
        Self { model }
    }
}

/// Low and span of each feature.
pub(super) fn pairs(scaling: &Bound<'_, PyAny>) -> PyResult<Vec<(f32, f32)>> {
    let numbers: Vec<f32> = samples::copied(scaling, "scaling")?;
    Ok(numbers.as_chunks::<2>().0.iter().map(|&[low, span]| (low, span)).collect())
}

/// The losses by scikit-learn's names.
pub(super) const LOSSES: [(&str, Loss); 5] = [
    ("squared_error", Loss::Squared),
    ("log_loss", Loss::Logistic),
    ("hinge", Loss::Hinge),
    ("squared_hinge", Loss::SquaredHinge),
    ("multinomial", Loss::Multinomial),
];

/// Their names, for messages.
pub(super) fn names() -> String {
    LOSSES.map(|(name, _)| name).join(", ")
}

//! A model as a safetensors file (R-GLM-29).

use super::{FeatureScaling, Model};
use crate::data::Scaling;
use crate::error::{Error, expect_len};
use crate::loss::Loss;
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read, Write};

/// Version of the metadata.
const VERSION: &str = "1";
/// Number of bytes before a file's header, which hold the header's length.
const LENGTH_BYTES: usize = 8;
/// Largest file that is read.
const MOST_BYTES: u64 = 1 << 36;

impl Model {
    /// Writes the model as a safetensors file. Equal models are equal bytes.
    pub fn save(&self, writer: impl Write) -> Result<(), Error> {
        self.write(None, writer)
    }

    /// Does the same as [`save`](Self::save), with the labels of the classes: one number for each.
    pub fn save_with_labels(&self, labels: &[f64], writer: impl Write) -> Result<(), Error> {
        expect_len("labels of classes", labels.len(), self.classes.unwrap_or(0) as usize)?;
        self.write(Some(names(labels)), writer)
    }

    fn write(&self, labels: Option<String>, mut writer: impl Write) -> Result<(), Error> {
        let outputs = self.outputs();
        let coefficients: Vec<u8> =
            self.coefficients.iter().flat_map(|value| value.to_le_bytes()).collect();
        let intercepts: Vec<u8> =
            self.intercepts.iter().flat_map(|value| value.to_le_bytes()).collect();
        let scaling: Vec<u8> = self
            .scaling
            .iter()
            .flat_map(|scaling| &scaling.features)
            .flat_map(|(low, span)| [low.to_le_bytes(), span.to_le_bytes()])
            .flatten()
            .collect();
        let view = |dtype, shape, bytes| TensorView::new(dtype, shape, bytes).map_err(refused);
        let mut tensors = vec![
            ("coefficients", view(Dtype::F32, vec![outputs, self.features], &coefficients)?),
            ("intercepts", view(Dtype::F64, vec![outputs], &intercepts)?),
        ];
        if self.scaling.is_some() {
            tensors.push(("scaling", view(Dtype::F32, vec![self.features, 2], &scaling)?));
        }
        let mut metadata: BTreeMap<&str, String> = BTreeMap::from([
            ("format", "netfold-glm".into()),
            ("version", VERSION.into()),
            ("loss", named(self.loss)?),
            ("classes", self.classes.unwrap_or(0).to_string()),
        ]);
        metadata.extend(labels.map(|labels| ("labels", labels)));
        if let Some(scaling) = &self.scaling {
            metadata.insert("scaling", named(scaling.kind)?);
        }
        let bare = serialize(tensors, None).map_err(refused)?;
        let (length, _) = SafeTensors::read_metadata(&bare).map_err(refused)?;
        let (header, content) = bare[LENGTH_BYTES..].split_at(length);
        // Sorted by name, where safetensors' own metadata has no order.
        let mut entries: BTreeMap<String, Value> =
            serde_json::from_slice(header).map_err(refused)?;
        entries.insert("__metadata__".into(), serde_json::to_value(metadata).map_err(refused)?);
        let mut header = serde_json::to_vec(&entries).map_err(refused)?;
        header.resize(header.len().next_multiple_of(LENGTH_BYTES), b' ');
        writer.write_all(&(header.len() as u64).to_le_bytes())?;
        writer.write_all(&header)?;
        writer.write_all(content)?;
        Ok(writer.flush()?)
    }

    /// Reads what [`save`](Self::save) has written.
    pub fn load(reader: impl Read) -> Result<Self, Error> {
        let mut bytes = Vec::new();
        reader.take(MOST_BYTES).read_to_end(&mut bytes)?;
        let (_, header) = SafeTensors::read_metadata(&bytes).map_err(refused)?;
        let metadata = header.metadata().clone().unwrap_or_default();
        let entry = |key: &str| metadata.get(key).map_or("", String::as_str);
        if entry("format") != "netfold-glm" || entry("version") != VERSION {
            return Err(Error::Format(format!(
                "its metadata is not that of version {VERSION}; save it again"
            )));
        }
        let loss: Loss = serde_json::from_value(entry("loss").into()).map_err(refused)?;
        let classes: u32 = entry("classes").parse().map_err(refused)?;
        let tensors = SafeTensors::deserialize(&bytes).map_err(refused)?;
        let coefficients = tensors.tensor("coefficients").map_err(refused)?;
        let intercepts = tensors.tensor("intercepts").map_err(refused)?;
        let &[outputs, features] = coefficients.shape() else {
            return Err(Error::Format("its coefficients have no rows and columns".into()));
        };
        if (coefficients.dtype(), intercepts.dtype()) != (Dtype::F32, Dtype::F64) {
            return Err(Error::Format(
                "its coefficients are not f32, or its intercepts not f64".into(),
            ));
        }
        if outputs == 0 || features == 0 || intercepts.shape() != [outputs] {
            return Err(Error::Format(
                "it has not one intercept for each row of coefficients".into(),
            ));
        }
        let scaling = match tensors.tensor("scaling") {
            Ok(scaling) => {
                let floats = floats(scaling.data());
                expect_len("numbers of the scaling", floats.len(), 2 * features)?;
                let kind: Scaling =
                    serde_json::from_value(entry("scaling").into()).map_err(refused)?;
                let features =
                    floats.as_chunks::<2>().0.iter().map(|&[low, span]| (low, span)).collect();
                Some(FeatureScaling { kind, features })
            }
            Err(_) => None,
        };
        let model = Self {
            features,
            coefficients: floats(coefficients.data()),
            intercepts: intercepts
                .data()
                .as_chunks::<8>()
                .0
                .iter()
                .map(|&bytes| f64::from_le_bytes(bytes))
                .collect(),
            loss,
            classes: (classes > 0).then_some(classes),
            scaling,
        };
        let needed = match (model.classes, loss) {
            (None, Loss::Squared) => Some(1),
            (None, _) => None,
            (Some(2), Loss::Multinomial) => Some(2),
            (Some(2), _) => Some(1),
            (Some(classes), _) => Some(classes as usize),
        };
        if needed != Some(outputs) {
            return Err(Error::Format("its outputs do not suit its loss and classes".into()));
        }
        Ok(model)
    }
}

/// Returns serde's name for a variant.
fn named(one: impl Serialize) -> Result<String, Error> {
    Ok(serde_json::to_value(one).map_err(refused)?.as_str().unwrap_or_default().into())
}

/// Labels as Python reads them: a type of NumPy's, and values of it.
fn names(labels: &[f64]) -> String {
    /// Up to here whole numbers of f64 are exact.
    const EXACT: f64 = (1u64 << f64::MANTISSA_DIGITS) as f64;
    let whole = labels.iter().all(|label| label.fract() == 0.0 && label.abs() <= EXACT);
    if whole {
        let labels: Vec<i64> = labels.iter().map(|&label| label as i64).collect();
        json!({ "type": "<i8", "values": labels }).to_string()
    } else {
        json!({ "type": "<f8", "values": labels }).to_string()
    }
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
}

fn refused(error: impl std::fmt::Display) -> Error {
    Error::Format(error.to_string())
}

//! A model as a safetensors file (R-GLM-29).

use super::Model;
use crate::error::{Error, expect_len};
use crate::loss::Loss;
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use std::collections::HashMap;
use std::io::{Read, Write};

/// Of the metadata.
const VERSION: &str = "1";
/// Largest file that is read.
const MOST_BYTES: u64 = 1 << 36;

impl Model {
    /// Writes the model as a safetensors file.
    pub fn save(&self, mut writer: impl Write) -> Result<(), Error> {
        let outputs = self.outputs();
        let coefficients: Vec<u8> = self.coefficients.iter().flat_map(|value| value.to_le_bytes()).collect();
        let intercepts: Vec<u8> = self.intercepts.iter().flat_map(|value| value.to_le_bytes()).collect();
        let scaling: Vec<u8> = self
            .scaling
            .iter()
            .flatten()
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
        let loss = serde_json::to_value(self.loss).map_err(refused)?;
        let metadata = HashMap::from([
            ("format".into(), "netfold-glm".into()),
            ("version".into(), VERSION.into()),
            ("loss".into(), loss.as_str().unwrap_or_default().into()),
            ("classes".into(), self.classes.unwrap_or(0).to_string()),
        ]);
        writer.write_all(&serialize(tensors, Some(metadata)).map_err(refused)?)?;
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
            return Err(Error::Format(format!("its metadata is not that of version {VERSION}; save it again")));
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
            return Err(Error::Format("its coefficients are not f32, or its intercepts not f64".into()));
        }
        if outputs == 0 || features == 0 || intercepts.shape() != [outputs] {
            return Err(Error::Format("it has not one intercept for each row of coefficients".into()));
        }
        let scaling = match tensors.tensor("scaling") {
            Ok(scaling) => {
                let floats = floats(scaling.data());
                expect_len("numbers of the scaling", floats.len(), 2 * features)?;
                Some(floats.as_chunks::<2>().0.iter().map(|&[low, span]| (low, span)).collect())
            }
            Err(_) => None,
        };
        let model = Self {
            features,
            coefficients: floats(coefficients.data()),
            intercepts: intercepts.data().as_chunks::<8>().0.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect(),
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

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
}

fn refused(error: impl std::fmt::Display) -> Error {
    Error::Format(error.to_string())
}

//! A switch inside the Python process.

use netfold_net::{CoreList, OperationPolicy, Switch, SwitchOptions, Token, Transport};
use pyo3::prelude::*;

use crate::communicator::parse;
use crate::errors::{exception, named};
#[cfg(feature = "ops")]
use crate::ops::loader;

/// A build without operations of users refuses jobs that have some.
#[cfg(not(feature = "ops"))]
fn loader(
    _py: Python<'_>,
    _policy: OperationPolicy,
    _key: Option<&str>,
) -> PyResult<Option<std::sync::Arc<dyn netfold_net::OperationLoader>>> {
    Ok(None)
}

/// A switch inside this process. It stops when it is closed or garbage-collected.
#[pyclass(name = "Switch", module = "netfold._native", frozen)]
pub(crate) struct PySwitch {
    switch: std::sync::Mutex<Option<Switch>>,
    #[pyo3(get)]
    address: String,
}

#[pymethods]
impl PySwitch {
    #[new]
    #[pyo3(signature = (listen = "127.0.0.1:0", cores = 1, memory = "64MiB", metrics = None, token = None, transport = None, pin = None, parent = None, ops = "any", ops_key = None))]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn new(
        py: Python<'_>,
        listen: &str,
        cores: u16,
        memory: &str,
        metrics: Option<String>,
        token: Option<&str>,
        transport: Option<&str>,
        pin: Option<&str>,
        parent: Option<String>,
        ops: &str,
        ops_key: Option<&str>,
    ) -> PyResult<Self> {
        let configuration = |message: String| named(py, "ConfigurationError", message);
        let token =
            token.map(Token::new).transpose().map_err(|error| configuration(error.to_string()))?;
        let options = SwitchOptions {
            listen: listen.to_owned(),
            cores,
            pin: pin.map(|cores| parse::<CoreList>(py, cores)).transpose()?,
            memory_bytes: netfold_settings::parse_size(memory)
                .map_err(|why| configuration(format!("{memory:?}: {why}")))?,
            metrics,
            transport: transport.map(|name| parse::<Transport>(py, name)).transpose()?,
            parent,
            tokens: token.into_iter().collect(),
            operations: loader(py, parse::<OperationPolicy>(py, ops)?, ops_key)?,
            ..SwitchOptions::default()
        };
        let switch =
            py.detach(|| Switch::start(&options)).map_err(|error| exception(py, &error))?;
        Ok(Self {
            address: switch.address().to_string(),
            switch: std::sync::Mutex::new(Some(switch)),
        })
    }

    /// Stops the switch; its jobs fail. A second call does nothing.
    fn close(&self, py: Python<'_>) {
        py.detach(|| {
            let taken =
                self.switch.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
            drop(taken);
        });
    }
}

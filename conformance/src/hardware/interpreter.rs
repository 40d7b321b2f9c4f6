//! The checked interpreter as hardware: the cases fail where a pipeline could not have done what
//! the program does (R-PISA-2).

use netfold_pisa::programs::switchml::SwitchMl;
use netfold_pisa::{Control, Pipeline, Report, Sent, Target};

use super::Hardware;

/// A pipeline that is checked.
pub struct Interpreter {
    pipeline: Pipeline,
    reports: Vec<Report>,
}

impl Interpreter {
    /// A switch of this kind, with the program.
    ///
    /// # Panics
    /// If the program does not fit it.
    pub fn new(config: &SwitchMl, target: Target) -> Self {
        let pipeline =
            Pipeline::load(config.program(), target).unwrap_or_else(|refusal| panic!("{refusal}"));
        Self { pipeline, reports: Vec::new() }
    }
}

impl Hardware for Interpreter {
    fn control(&mut self, controls: &[Control]) {
        for control in controls {
            control.apply(&mut self.pipeline).unwrap_or_else(|refusal| panic!("{refusal}"));
        }
    }

    fn exchange(&mut self, port: u16, frame: &[u8]) -> Vec<Sent> {
        let outcome =
            self.pipeline.process(port, frame).unwrap_or_else(|refusal| panic!("{refusal}"));
        self.reports.extend(outcome.reports);
        outcome.sent
    }

    fn reports(&mut self) -> Vec<Report> {
        std::mem::take(&mut self.reports)
    }
}

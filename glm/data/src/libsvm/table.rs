//! A file of libsvm text as a table: how wide it is, and from which number its indices count.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::IndexBase;
use super::line::Rules;
use super::read::{LibsvmReader, Row};
use crate::chunk::Reader;
use crate::format::Compression;
use crate::samples::MAX_FEATURES;
use crate::table::{Given, Table};
use crate::{Bounds, Columns, Csr, Error, Features, Samples};

/// See the module.
pub struct LibsvmTable {
    path: PathBuf,
    compression: Compression,
    base: IndexBase,
    features: Option<usize>,
    /// True if indices may reach beyond them.
    beyond: bool,
    labels: bool,
    non_finite: bool,
    survey: OnceLock<Survey>,
}

/// Facts that only reading the whole file tells.
#[derive(Clone, Copy, Debug, Default)]
struct Survey {
    rows: u64,
    /// The lowest index as it stands in the file, and one more than the highest; equal if there is
    /// none.
    lowest: u32,
    end: u32,
}

impl Survey {
    fn see(&mut self, indices: &[u32]) {
        if let (Some(first), Some(last)) = (indices.first(), indices.last()) {
            let none = self.end == 0;
            self.lowest = if none { *first } else { self.lowest.min(*first) };
            self.end = self.end.max(last + 1);
        }
        self.rows += 1;
    }

    fn base(&self, said: IndexBase) -> u32 {
        match said {
            IndexBase::Zero => 0,
            IndexBase::One => 1,
            IndexBase::Auto => u32::from(self.end > 0 && self.lowest > 0),
        }
    }

    fn features(&self, said: IndexBase) -> usize {
        (self.end.saturating_sub(self.base(said))) as usize
    }
}

impl LibsvmTable {
    /// The table at `path`; `labels`: whether it gives them.
    pub fn new(
        path: &Path,
        compression: Compression,
        base: IndexBase,
        labels: bool,
        given: &Given,
    ) -> Self {
        let survey = OnceLock::new();
        let (features, non_finite) = (given.features, given.non_finite);
        let beyond = given.beyond;
        Self { path: path.into(), compression, base, features, beyond, labels, non_finite, survey }
    }

    fn reader_with(&self, rules: Rules) -> Result<LibsvmReader, Error> {
        LibsvmReader::open(&self.path, self.compression, rules, self.labels)
    }

    /// The rules under which the file can be read before it has been surveyed.
    fn first_rules(&self) -> Rules {
        // Indices stay as they are in the file, but where the caller knows better.
        let base = u32::from(self.base == IndexBase::One);
        let features = match (self.most(), self.base) {
            (Some(features), IndexBase::Auto) => features.saturating_add(1).min(MAX_FEATURES),
            (features, _) => features.unwrap_or(MAX_FEATURES),
        };
        Rules { base, features, non_finite: self.non_finite }
    }

    /// Returns the most features that a row may have, if that is known.
    fn most(&self) -> Option<usize> {
        self.features.filter(|_| !self.beyond)
    }

    fn survey(&self) -> Result<Survey, Error> {
        if let Some(survey) = self.survey.get() {
            return Ok(*survey);
        }
        let rules = self.first_rules();
        let mut reader = self.reader_with(rules)?;
        let mut survey = Survey::default();
        while let Some(row) = reader.next_row()? {
            survey.see(row.indices);
        }
        self.keep(survey, rules)
    }

    fn keep(&self, mut survey: Survey, rules: Rules) -> Result<Survey, Error> {
        if survey.end > 0 {
            survey.lowest += rules.base;
            survey.end = survey.end.saturating_add(rules.base);
        }
        if let Some(features) =
            self.most().filter(|features| survey.features(self.base) > *features)
        {
            let what = format!(
                "the indices count from 0 and reach {}, and {features} features were given; give {} or more",
                survey.end - 1,
                survey.end
            );
            return Err(Error::layout(&self.path, what));
        }
        Ok(*self.survey.get_or_init(|| survey))
    }
}

impl Table for LibsvmTable {
    fn features(&self) -> Result<usize, Error> {
        match self.features {
            Some(features) => Ok(features),
            None => Ok(self.survey()?.features(self.base)),
        }
    }

    fn rows(&self) -> Result<u64, Error> {
        Ok(self.survey()?.rows)
    }

    fn is_sparse(&self) -> bool {
        true
    }

    fn index_base(&self) -> Result<Option<IndexBase>, Error> {
        Ok(Some(match self.base {
            IndexBase::Auto if self.survey()?.base(IndexBase::Auto) == 0 => IndexBase::Zero,
            IndexBase::Auto => IndexBase::One,
            said => said,
        }))
    }

    fn reader(&self, _columns: &Columns, _bounds: Bounds) -> Result<Box<dyn Reader>, Error> {
        let features = if self.beyond { MAX_FEATURES } else { self.features()? };
        let base = u32::from(self.index_base()? == Some(IndexBase::One));
        Ok(Box::new(self.reader_with(Rules { base, features, non_finite: self.non_finite })?))
    }

    fn instead(&self) -> Option<&'static str> {
        (self.compression != Compression::Plain).then_some("plain text")
    }

    /// Takes the indices as they stand in the file, and moves them when the last one is known: the
    /// file is read once.
    fn whole(&self) -> Result<Option<Samples>, Error> {
        if self.survey.get().is_some() {
            return Ok(None);
        }
        let rules = self.first_rules();
        let mut reader = self.reader_with(rules)?;
        let mut survey = Survey::default();
        let (mut labels, mut indptr, mut all_indices, mut all_values) =
            (Vec::new(), vec![0], Vec::new(), Vec::new());
        while let Some(Row { label, indices, values }) = reader.next_row()? {
            survey.see(indices);
            labels.push(label);
            all_indices.extend_from_slice(indices);
            all_values.extend_from_slice(values);
            indptr.push(all_values.len() as u64);
        }
        let survey = self.keep(survey, rules)?;
        let shift = survey.base(self.base) - rules.base;
        if shift > 0 {
            all_indices.iter_mut().for_each(|index| *index -= shift);
        }
        if !self.labels {
            labels.clear();
        }
        let columns = self.features.unwrap_or_else(|| survey.features(self.base));
        let csr = Csr { columns, indptr, indices: all_indices, values: all_values };
        Ok(Some(Samples::read(Features::Csr(csr), labels, 0)))
    }
}

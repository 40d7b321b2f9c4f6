//! Precision of features: floats, or a grid of few bits. All workers' features are on a grid of the
//! same kind, whichever features they have.

use netfold_glm::{Exchange, Precision, Quantisation, Rounding, Samples, Scaling};

use super::flags::{FULL_BITS, RoundingName, ScalingName, TrainFlags};
use super::worker::{Stopped, alone};

/// Properties of samples that the kind of grid depends on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Signs {
    sparse: bool,
    /// Some value is below zero.
    below_zero: bool,
}

impl Signs {
    /// Takes in samples.
    pub(crate) fn see(&mut self, samples: Samples<'_>) {
        self.sparse = matches!(samples, Samples::Csr(_));
        self.below_zero |= samples.below_zero();
    }

    /// Returns the signs of all workers' features. Each worker takes part, whatever its flags are,
    /// so that those whose flags differ hear of it.
    fn of_all<X: Exchange>(self, exchange: &mut X) -> Result<Self, Stopped> {
        let mut below_zero = [i32::from(self.below_zero)];
        if exchange.workers() > 1 {
            let submission = exchange.submit(&below_zero).map_err(alone)?;
            exchange.collect(submission, &mut below_zero).map_err(alone)?;
        }
        Ok(Self { below_zero: below_zero[0] > 0, ..self })
    }
}

/// Returns the precision in which these samples are held.
pub(crate) fn precision<X: Exchange>(
    flags: &TrainFlags,
    signs: Signs,
    exchange: &mut X,
) -> Result<Precision, Stopped> {
    let Signs { sparse, below_zero } = signs.of_all(exchange)?;
    let scaling = match flags.scaling {
        // Without values below 0 there need be no levels there. Steps of dense samples go
        // straighter around the middle.
        ScalingName::Auto if sparse && !below_zero => Scaling::Unit,
        ScalingName::Auto | ScalingName::Symmetric => Scaling::Symmetric,
        ScalingName::Unit => Scaling::Unit,
    };
    let rounding = match flags.rounding {
        RoundingName::Nearest => Rounding::Nearest,
        RoundingName::Truncate => Rounding::Truncate,
        RoundingName::Stochastic => Rounding::Stochastic { seed: flags.seed },
    };
    let refused = |why: &str| Err(Stopped::Failed(why.into()));
    match (flags.bits, scaling) {
        (FULL_BITS, _) => Ok(Precision::Full),
        (1, Scaling::Symmetric) if sparse => refused(
            "1 bit of the symmetric scaling is 0 or -1, so sparse samples would have no value above 0; use --bits 2 or more, or --scaling unit where none is below 0",
        ),
        (_, Scaling::Unit) if sparse && below_zero => refused(
            "the samples are sparse and have values below 0, where --scaling unit has no levels; use symmetric",
        ),
        (bits, scaling) => {
            Ok(Precision::Bits(Quantisation { scaling, rounding, ..Quantisation::bits(bits) }))
        }
    }
}

//! `netfold ctl drain`.

use netfold_management::{DRAIN_LIMIT, TablesLeft};
use netfold_net::drain;

use super::{WAIT_LIMIT, as_json};
use crate::error::Error;
use crate::{FAILURE, SUCCESS, terminal};
use netfold_settings::Settings;

/// Has the switch hand its tables over and stop (R-CTRL-21), and shows how it goes. The status
/// tells whether all was handed over.
pub(super) fn run(json: bool, settings: &Settings) -> Result<i32, Error> {
    let address = settings.switch.as_deref().unwrap_or_default().trim();
    if address.contains(',') {
        return Err(Error::Usage(format!(
            "drain stops one switch, and {address} are several; name the one to stop (--switch)"
        )));
    }
    let token = settings.token()?;
    let mut shown = None;
    let left = drain(address, token.as_ref(), WAIT_LIMIT, |left| {
        if shown.as_ref() != Some(left) {
            terminal::tell(&progress(address, left));
            shown = Some(left.clone());
        }
    })?;
    let text = if json {
        as_json(address, &serde_json::json!({ "address": address, "left": left }))?
    } else {
        outcome(address, &left)
    };
    terminal::say(&text)?;
    Ok(if left.count == 0 { SUCCESS } else { FAILURE })
}

fn progress(address: &str, left: &TablesLeft) -> String {
    if left.count == 0 {
        format!("the switch at {address} stops: it has no table that is not handed over")
    } else {
        format!("the switch at {address} waits for the servers of {left}")
    }
}

fn outcome(address: &str, left: &TablesLeft) -> String {
    if left.count == 0 {
        format!("the switch at {address} has stopped; servers have all that its tables had\n")
    } else {
        format!(
            "the switch at {address} has stopped; in {} s, or until it was told again, servers did not read all of {left}: workers send them the rest\n",
            DRAIN_LIMIT.as_secs()
        )
    }
}

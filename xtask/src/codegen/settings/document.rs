//! The settings as a table of `docs/settings.md`.

use super::{Setting, Spec, text};

pub(super) const START: &str =
    "<!-- Generated from spec/settings.toml by `cargo xtask codegen`: -->\n";
pub(super) const END: &str = "<!-- End of what is generated. -->\n";

/// Returns `page` with the tables between its two marks made anew.
pub fn emit(spec: &Spec, page: &str) -> Result<String, String> {
    let parts = page
        .split_once(START)
        .and_then(|(before, rest)| rest.split_once(END).map(|(_, after)| (before, after)));
    let (before, after) = parts.ok_or_else(|| {
        format!("docs/settings.md has lost the marks {:?} and {:?}", START.trim(), END.trim())
    })?;
    let mut tables = String::from(
        "| variable | option | values | default | read by | meaning |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    tables.extend(spec.settings.iter().map(row));
    tables += "\n| read by | is |\n| --- | --- |\n";
    tables.extend(spec.programs.iter().map(|(name, doc)| format!("| {name} | {doc} |\n")));
    Ok(format!("{before}{START}\n{tables}\n{END}{after}"))
}

fn row(setting: &Setting) -> String {
    let placeholder = setting.value.as_ref().map_or_else(String::new, |name| format!(" {name}"));
    let option = match setting.options().next() {
        Some(_) => format!("`--{}{placeholder}`", setting.option()),
        None => String::new(),
    };
    let except: String = setting
        .no_option
        .iter()
        .map(|program| format!("; {program} has no option for it"))
        .collect();
    let default = setting.default.as_ref().map(|value| format!("`{}`", text(value)));
    let defaults: Vec<String> = default
        .into_iter()
        .chain(setting.unset.clone())
        .chain(setting.default_of.iter().map(|(name, value)| format!("{name}: `{}`", text(value))))
        .collect();
    let file = if setting.in_file { "" } else { "; not in a file" };
    format!(
        "| `{}` | {option} | {} | {} | {} | {}{except}{file} |\n",
        setting.variable(),
        setting.allowed(),
        defaults.join("; "),
        setting.read_by.join(", "),
        setting.doc,
    )
}

use super::*;

fn warnings(names: &[&str]) -> Vec<String> {
    unknown_variables(names.iter().map(|name| (*name).to_owned()))
}

#[test]
fn a_misspelt_variable_is_told_with_the_nearest_one() {
    let misspelt = [
        ("NETFOLD_TRANSPROT", "NETFOLD_TRANSPORT"),
        ("NETFOLD_SLOT", "NETFOLD_SLOTS"),
        ("NETFOLD_TIME_OUT", "NETFOLD_TIMEOUT"),
        ("NETFOLD_TOKENFILE", "NETFOLD_TOKEN_FILE"),
        ("NETFOLD_switch", ""),
    ];
    for (name, nearest) in misspelt {
        let [warning] = &warnings(&[name])[..] else { panic!("{name}") };
        assert!(warning.contains(name), "{warning}");
        let hint = format!("; did you mean {nearest}?");
        assert_eq!(warning.ends_with(&hint), !nearest.is_empty(), "{warning}");
    }
}

#[test]
fn variables_of_netfold_and_of_others_are_none_of_these() {
    let fine =
        ["NETFOLD_SWITCH", "NETFOLD_STRICT", "NETFOLD_CONFIG", "netfold_x", "NETFOLDER", "PATH"];
    assert_eq!(warnings(&fine), [""; 0]);
}

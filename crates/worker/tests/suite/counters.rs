//! Counters: sums, names and values go through every field.

use netfold_worker::Counters;

#[test]
fn sums_names_and_values_leave_no_counter_out() {
    let values: [u64; Counters::COUNT] = std::array::from_fn(|index| index as u64 + 1);
    let counters = Counters::of(values);
    assert_eq!(counters.values(), values);
    assert_eq!(counters.plus(&counters).values(), values.map(|value| 2 * value));
    // Output that is derived for debugging goes through the fields by a list of its own.
    let named: Vec<String> =
        counters.iter().map(|(name, total)| format!("{name}: {total}")).collect();
    assert_eq!(format!("{counters:?}"), format!("Counters {{ {} }}", named.join(", ")));
}

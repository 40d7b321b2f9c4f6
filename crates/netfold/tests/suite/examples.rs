//! The examples do what they show.

#[path = "../../examples/all_reduce.rs"]
mod all_reduce;

#[path = "../../examples/overlap.rs"]
mod overlap;

#[test]
fn all_reduce_prints_the_mean_of_all_ranks() {
    let means = all_reduce::in_threads(4).unwrap();
    assert_eq!(means, [1.5; 4]);
    all_reduce::main().unwrap();
}

#[test]
fn overlap_gives_the_gradient_of_all_workers() {
    let losses = overlap::train(2, 20).unwrap();
    assert!(losses.iter().all(|(first, last)| *last < 0.01 * first), "{losses:?}");
    assert_eq!(losses[0], losses[1], "the workers have the same model");
    overlap::main().unwrap();
}

extern crate std;

use super::*;
use std::string::ToString;

#[test]
fn wire_numbers_and_names_round_trip() {
    for number in 0..=u8::MAX {
        assert!(ElementType::from_wire(number).is_none_or(|t| t.to_wire() == number));
        assert!(Operation::from_wire(number).is_none_or(|o| o.to_wire() == number));
        assert!(Arithmetic::from_wire(number).is_none_or(|a| a.to_wire() == number));
    }
    for t in ElementType::ALL {
        assert_eq!(ElementType::from_wire(t.to_wire()), Some(t));
        assert_eq!(t.to_string().parse(), Ok(t));
    }
    for o in Operation::ALL {
        assert_eq!(Operation::from_wire(o.to_wire()), Some(o));
        assert_eq!(o.to_string().parse(), Ok(o));
    }
    for a in Arithmetic::ALL {
        assert_eq!(Arithmetic::from_wire(a.to_wire()), Some(a));
        assert_eq!(a.to_string().parse(), Ok(a));
    }
    for o in ByteOrder::ALL {
        assert_eq!(o.to_string().parse(), Ok(o));
    }
    for p in Protocol::ALL {
        assert_eq!(p.to_string().parse(), Ok(p));
    }
    for o in Overflow::ALL {
        assert_eq!(o.to_string().parse(), Ok(o));
    }
}

#[test]
fn long_names_are_read_and_unknown_ones_answered_with_a_list() {
    assert_eq!("bfloat16".parse(), Ok(ElementType::Bf16));
    assert_eq!("uint8".parse(), Ok(ElementType::U8));
    let error = "complex64".parse::<ElementType>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown element type; choose one of f32, f16, bf16, f64, i32, i64, u8"
    );
    let error = "exact".parse::<Arithmetic>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown arithmetic; choose one of block, native, fpisa, fpisa-a, logtable"
    );
    let error = "big".parse::<ByteOrder>().unwrap_err();
    assert_eq!(error.to_string(), "unknown byte order; choose one of little, network");
    let error = "shadowed".parse::<Protocol>().unwrap_err();
    assert_eq!(error.to_string(), "unknown protocol; choose one of shadow, acked");
}

#[test]
fn coding_is_total_and_refuses_only_what_an_arithmetic_cannot_fold() {
    // R-NUM-2
    for arithmetic in Arithmetic::ALL {
        for t in ElementType::ALL {
            for o in Operation::ALL {
                let narrow_float = t.is_float() && t != ElementType::F64;
                let expected = if o == Operation::Copy {
                    Some((ElementType::U8, Form::Plain))
                } else if arithmetic == Arithmetic::Native || !t.is_float() {
                    Some((t, Form::Plain))
                } else if !narrow_float {
                    None
                } else if matches!(arithmetic, Arithmetic::Fpisa | Arithmetic::FpisaA) {
                    Some((t, Form::Plain))
                } else if o == Operation::Product {
                    None
                } else if arithmetic == Arithmetic::Block {
                    let form = if o == Operation::Sum { Form::Block } else { Form::Ordered };
                    let halves = o == Operation::Sum && t != ElementType::F32;
                    Some((if halves { ElementType::F16 } else { ElementType::I32 }, form))
                } else if arithmetic == Arithmetic::LogTable
                    && o == Operation::Sum
                    && t != ElementType::F32
                {
                    None
                } else {
                    Some((t, Form::Plain))
                };
                let coding = arithmetic.coding(t, o);
                assert_eq!(
                    coding.ok(),
                    expected.map(|(lane, form)| Coding { lane, form }),
                    "{arithmetic} {o} {t}"
                );
            }
        }
    }
}

#[test]
fn only_lanes_of_f16_that_block_adds_are_wider_in_a_slot() {
    // R-NUM-21
    for arithmetic in Arithmetic::ALL {
        for t in ElementType::ALL {
            for o in Operation::ALL {
                let widens =
                    (arithmetic, t, o) == (Arithmetic::Block, ElementType::F16, Operation::Sum);
                assert_eq!(arithmetic.widens(t, o), widens, "{arithmetic} {o} {t}");
                assert_eq!(arithmetic.slot_bytes(t, o), if widens { 4 } else { t.bytes() });
            }
        }
    }
}

#[test]
fn a_refusal_says_what_to_use_instead() {
    let text = |t, o| Arithmetic::Block.coding(t, o).unwrap_err().to_string();
    assert_eq!(
        text(ElementType::F32, Operation::Product),
        "arithmetic block cannot fold product of f32; use arithmetic native, or one of the operations sum, min and max"
    );
    assert_eq!(
        text(ElementType::F64, Operation::Sum),
        "arithmetic block cannot fold sum of f64; use arithmetic native, or convert the tensor to f32"
    );
    assert_eq!(
        text(ElementType::F64, Operation::Product),
        "arithmetic block cannot fold product of f64; use arithmetic native"
    );
}

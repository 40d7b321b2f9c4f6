"""FPISA on arrays: the public vectors where they are there, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import netfold
from netfold.num import fold

VECTORS = Path(__file__).parents[3] / "shared" / "vectors" / "fpisa.json"


def _bits(values, dtype=np.float32, unsigned=np.uint32):
    return np.array(values, dtype).view(unsigned)


def test_registers_keep_exponent_and_mantissa_apart():
    folded = fold(_bits([[1.0, 3.0, -2.0], [1.0, 0.5, 2.0]]))
    assert folded.bits.view(np.float32).tolist() == [2.0, 3.5, 0.0]
    # 1 + 1 stays under the exponent of 1, with a mantissa of twice the leading one.
    assert folded.exponent.tolist() == [127, 128, 128]
    assert folded.mantissa.tolist() == [1 << 24, 7 << 21, 0]
    assert not folded.overflow.any()


def test_the_variants_differ_where_a_larger_operand_comes():
    # 2^-20 is overwritten by 1, which is more than 2^7 larger (section 4.3); fpisa keeps what the register can hold.
    operands = _bits([[2.0**-20], [1.0]])
    assert fold(operands, "fpisa-a").bits.view(np.float32)[0] == 1.0
    assert fold(operands, "fpisa").bits.view(np.float32)[0] == 1.0 + 2.0**-20


def test_other_formats_and_widths():
    halves = _bits([[1.5, 2.0], [0.25, 2.0]], np.float16, np.uint16)
    assert fold(halves, format="fp16").bits.astype(np.uint16).view(np.float16).tolist() == [1.75, 4.0]
    # Eight bits of register hold the sign, E4M3's four bits of mantissa and three of headroom: the 16th largest value overflows.
    largest = np.full((16, 1), 0x7E, np.uint8)
    assert not fold(largest[:8], "fpisa", "e4m3", 8).overflow[0]
    assert fold(largest, "fpisa", "e4m3", 8).overflow[0]


def test_shapes_are_kept():
    assert fold(np.zeros((3, 2, 5), np.uint32)).bits.shape == (2, 5)
    assert fold(np.zeros((3,), np.uint32)).bits.shape == ()
    assert fold(np.zeros((0, 4), np.uint32)).bits.tolist() == [0] * 4
    assert fold(np.zeros((4, 0), np.uint32)).mantissa.shape == (0,)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"bits": np.zeros((2, 2), np.float32)}, "uint32"),
        ({"bits": np.uint32(0)}, "no axis"),
        ({"arithmetic": "block"}, "fpisa-a"),
        ({"format": "fp64"}, "e4m3"),
        ({"register_bits": 20}, "too narrow"),
        ({"register_bits": 65}, "too wide"),
    ],
)
def test_what_cannot_be_is_refused(arguments, message):
    with pytest.raises(netfold.ConfigurationError, match=message):
        fold(**({"bits": np.zeros((2, 2), np.uint32)} | arguments))

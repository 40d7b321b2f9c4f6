"""Bodies of the operations of MPI programs: what is written anew, and what is refused."""

from __future__ import annotations

import ctypes
import os
import random
import shutil
import subprocess

import numpy as np
import pytest

pytest.importorskip("clang.cindex")

import netfold
from netfold.mpi.translate import header, operation, program, users
from netfold.mpi.translate.found import Body, Refusal

HEAD = """
#include <mpi.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
"""

NEEDED = ("clang", "cc", "netfold")


@pytest.fixture
def said(tmp_path, monkeypatch):
    """Findings of the translator in a program that makes operations of some functions, each
    commutative unless its name begins with `ordered`.
    """
    for name in NEEDED:
        if shutil.which(name) is None:
            pytest.skip(f"there is no {name}")
    monkeypatch.setattr(operation, "command", lambda: shutil.which("netfold") or "netfold")

    def look(text: str, *functions: str) -> list[Body | Refusal]:
        path = tmp_path / "program.c"
        calls = "".join(
            f"MPI_Op_create({name}, {int(not name.startswith('ordered'))}, &op);\n"
            for name in functions
        )
        path.write_text(f"{HEAD}{text}\nvoid make(void) {{\nMPI_Op op;\n{calls}}}\n")
        return users.find(program.load([path], []))

    return look


# ---- what gets a body

PARAMETERS = "void *in, void *inout, int *count, MPI_Datatype *type"

FUNCTIONS = {
    "least": (
        """
    void least(void *in, void *inout, int *count, MPI_Datatype *type) {
        (void)type;
        for (int i = 0; i < *count; i++)
            if (((int *)in)[i] < ((int *)inout)[i]) ((int *)inout)[i] = ((int *)in)[i];
    }""",
        "i32",
        "associative, commutative",
    ),
    # The example of the standard (MPI 4.1, 6.9.5).
    "product": (
        """
    typedef struct { double real, imag; } Complex;
    void product(Complex *in, Complex *inout, int *len, MPI_Datatype *dptr) {
        int i;
        Complex c;
        for (i = 0; i < *len; ++i) {
            c.real = inout->real * in->real - inout->imag * in->imag;
            c.imag = inout->real * in->imag + inout->imag * in->real;
            *inout = c;
            in++; inout++;
        }
    }""",
        "f64x2",
        "commutative",
    ),
    "first_largest": (
        """
    struct entry { double value; int32_t index; };
    void first_largest(void *in, void *inout, int *count, MPI_Datatype *type) {
        struct entry *a = in, *b = inout;
        for (int i = 0; i < *count; i++) {
            int before = a[i].value == b[i].value && a[i].index < b[i].index;
            if (a[i].value > b[i].value || before) b[i] = a[i];
        }
    }""",
        "f64,i32",
        "commutative",
    ),
    "ordered_compose": (
        """
    static void whole(void *in, void *inout, long long count) {
        for (long long i = 0; i < count; i++) {
            uint32_t *a = (uint32_t *)in + 4 * i, *b = (uint32_t *)inout + 4 * i;
            uint32_t c[4] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
                             a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
            for (int k = 0; k < 2; k++)
                for (int l = 0; l <= 1; l++) b[2 * k + l] = c[2 * k + l];
        }
    }
    void ordered_compose(void *in, void *inout, int *count, MPI_Datatype *type) {
        (void)type;
        whole(in, inout, *count);
    }""",
        "u32x4",
        "associative",
    ),
    "absolute": (
        """
    #define EPS 1e-3
    static const double scale = 1.5;
    static double bigger(double x, double y) {
        if (fabs(x) * scale > fabs(y) + EPS) return x;
        return y;
    }
    void absolute(void *in, void *inout, int *count, MPI_Datatype *type) {
        double *a = in, *b = inout;
        int i, n = *count;
        for (i = 0; i < n; i++, a++, b++) *b = bigger(*a, *b);
    }""",
        "f64",
        "commutative",
    ),
    "longs": (
        """
    enum { MOST = 1 << 20 };
    void longs(void *in, void *inout, int *count, MPI_Datatype *type) {
        long *a, *b;
        a = (long *)in;
        b = (long *)inout;
        const unsigned long mask = ~0ul >> 3;
        for (int i = 0; i < *count; i++) {
            unsigned long sum = (unsigned long)a[i] + b[i];
            while (sum > mask) sum -= mask;
            b[i] = sum % sizeof(long) == 3 ? (long)sum : labs((long)sum / 2) + MOST;
        }
    }""",
        "i64",
        "commutative",
    ),
    "guarded": (
        """
    extern int printf(const char *, ...);
    void guarded(void *in, void *inout, int *count, MPI_Datatype *type) {
        MPI_Datatype dt = *type;
        if (dt != MPI_FLOAT) {
            printf("floats");
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        float *a = in, *b = inout;
        for (int i = 0; i < *count; i++) b[i] = a[i] * 0.5f + b[i];
    }""",
        "f32",
        "commutative",
    ),
    "mixed": (
        """
    struct inner { float x[3]; };
    struct outer { struct inner p; unsigned char flag; short s; };
    static void add(struct inner *to, const struct inner *from) {
        for (int k = 0; k < 3; k++) to->x[k] += from->x[k];
    }
    void mixed(void *in, void *inout, int *count, MPI_Datatype *type) {
        for (int i = 0; i < *count; i++) {
            struct outer *a = (struct outer *)in + i, *b = &((struct outer *)inout)[i];
            add(&b->p, &a->p);
            b->flag ^= a->flag;
            switch_off: ;
            b->s = (short)(a->s > b->s ? a->s : b->s);
        }
    }""".replace("switch_off: ;", ";"),
        "f32x3,u8,i16",
        "commutative",
    ),
}


def elements(draw: random.Random, dtype: np.dtype, count: int) -> np.ndarray:
    """Random elements, among them equal ones, and zeros of both signs."""
    found = np.zeros(count, dtype)
    for name in dtype.names or [None]:
        part = found[name] if name else found
        flat = part.reshape(-1)
        kind = flat.dtype
        for at in range(flat.size):
            if kind.kind == "f":
                flat[at] = draw.choice([0.0, -0.0, 1.0, draw.uniform(-9, 9)])
            else:
                low, high = np.iinfo(kind).min, np.iinfo(kind).max
                flat[at] = draw.choice([0, 1, high, low, draw.randint(low, high)])
    return found


@pytest.mark.parametrize("name", FUNCTIONS)
def test_bodies_do_what_the_functions_do(said, tmp_path, name):
    """R-TR-23: the function as the machine's compiler makes it, beside the module, bit for bit."""
    text, fields, claims = FUNCTIONS[name]
    [found] = said(text, name)
    assert isinstance(found, Body), found
    assert (found.element, found.claims) == (fields, claims)
    module = tmp_path / "body.wasm"
    module.write_bytes(found.module)
    body = netfold.load_op(module)
    (tmp_path / "mpi.h").write_text(header.text())
    library = tmp_path / "original.so"
    flags = [
        "-shared",
        "-fPIC",
        "-O1",
        "-w",
        "-Wl,--unresolved-symbols=ignore-all",
        "-Wl,-z,lazy",
        "-lm",
    ]
    sources = [tmp_path / "program.c", tmp_path / "handles.c"]
    sources[1].write_text("void *MPI_FLOAT, *MPI_COMM_WORLD;\n")
    subprocess.run(["cc", f"-I{tmp_path}", *sources, *flags, "-o", library], check=True)
    original = ctypes.CDLL(str(library), os.RTLD_LAZY)[name]
    draw = random.Random(name)
    for count in (1, 2, 700):
        left, right = (elements(draw, body.dtype, count) for _ in range(2))
        given, want = left.copy(), right.copy()
        vectors = [ctypes.c_void_p(it.ctypes.data) for it in (given, want)]
        handle = ctypes.c_void_p()  # that of MPI_FLOAT
        original(*vectors, ctypes.byref(ctypes.c_int(count)), ctypes.byref(handle))
        got = body.fold(left, right)
        for field in body.dtype.names or [()]:
            assert got[field].tobytes() == want[field].tobytes(), (count, field)


def test_a_claim_that_is_false_is_not_made(said):
    """R-TR-24: of two numbers of one magnitude the right one stays, so this does not commute."""
    text = """
    void larger(int *in, int *inout, int *count, MPI_Datatype *type) {
        for (int i = 0; i < *count; i++)
            if (labs((long)in[i]) > labs((long)inout[i])) inout[i] = in[i];
    }
    """
    [found] = said(text, "larger")
    assert isinstance(found, Body)
    assert found.claims == "commutative"
    assert found.notes == ["folded in the order of ranks: it is not commutative to the bit"]


def test_operations_are_made_by_wrappers(tmp_path, said):
    """R-TR-22"""
    text = """
    int lib_Op_create(MPI_User_function *f, int commutes, MPI_Op *op) {
        return MPI_Op_create((MPI_User_function *)f, commutes, op);
    }
    static void least(int *in, int *inout, int *count, MPI_Datatype *type) {
        for (int i = 0; i < *count; i++) if (in[i] < inout[i]) inout[i] = in[i];
    }
    void both(MPI_Op *op) { lib_Op_create((MPI_User_function *)least, 1, op); }
    """
    [found] = said(text)
    assert isinstance(found, Body)
    assert (found.function, found.made) == ("least", 13)
    saved = users.save([found], tmp_path / "new")
    assert [path.name for path in saved] == ["operations", "least_netfold.c", "least_netfold.wasm"]
    rows = saved[0].read_text().splitlines()
    assert rows[1:] == ["least least_netfold.wasm"]
    [refused] = said(text.replace("}\n    void both", "}\n    int which(void);\n    void both")
                     .replace("least, 1, op", "least, which(), op"))  # fmt: skip
    assert (refused.rule, refused.why) == (
        "R-TR-22", "whether it commutes, `which()`, is no constant"
    )  # fmt: skip
    [refused] = said(text + "void once(MPI_Op *op) { MPI_Op_create(least, 0, op); }")
    assert refused.why == "line 13 says that it commutes, or not"


# ---- what is refused, each for its reason

LOOP = "for (int i = 0; i < *count; i++)"
INTS = f"int *a = in, *b = inout;\n    {LOOP}"

REFUSED = {
    "a value of the element before": (
        f"int t = 0; {INTS} {{ t += a[i]; b[i] += t; }}",
        "line 8: `t` may have a value of the element before",
    ),
    "a member that is given under a condition": (
        f"struct {{ int x; }} t; {INTS} {{ if (a[i]) t.x = 1; b[i] += t.x; }}",
        "line 8: `t` may have a value of the element before",
    ),
    "another element": (
        f"{INTS} b[i] += a[0];",
        "line 8: `a[0]` is not known to be at the element's place",
    ),
    "the element behind": (
        f"{INTS} b[i] += a[i + 1];",
        "line 8: `a[i + 1]` is not known to be at the element's place",
    ),
    "a place that a cast cuts off": (
        f"{INTS} b[i] += a[(unsigned char)i];",
        "line 8: `(unsigned char)i` is not known to be at the element's place",
    ),
    "a part of another element": (
        f"{INTS} {{ b[2 * i] += a[2 * i]; b[2 * i + 1] += a[2 * i + 2]; }}",
        "line 8: `a[2 * i + 2]` is not known to be at the element's place",
    ),
    "the place of the element": (
        f"{INTS} b[i] += i;",
        "line 8: `i`, the number of the element, is used as a value",
    ),
    "the number of elements": (
        f"{INTS} b[i] += *count;",
        "line 8: it uses `count`, which the switch does not have",
    ),
    "two types": (
        f"{INTS} ((float *)inout)[i] += a[i];",
        "line 8: it takes its elements for `int` and `float`",
    ),
    "the type of MPI": (
        f"int *a = in, *b = inout; if (*type != MPI_INT) return;\n    {LOOP} b[i] += a[i];",
        "line 7: something else than variables stands before the loop",
    ),
    "another type of MPI": (
        f"if (*type != MPI_LONG) exit(1);\n    {INTS} b[i] += a[i];",
        "line 7: its elements are i32, and i64 is asked for",
    ),
    "a type that is one of two": (
        f"if (*type == MPI_INT) exit(1);\n    {INTS} b[i] += a[i];",
        "line 7: something else than variables stands before the loop",
    ),
    "a variable of the program": (
        f"extern int modulus; {INTS} b[i] = (b[i] + a[i]) % modulus;",
        "line 8: it uses `modulus`, which the switch does not have",
    ),
    "a write to such a variable": (
        f"extern int calls; {INTS} {{ b[i] += a[i]; calls = 1; }}",
        "line 8: it writes to `calls`",
    ),
    "a write to the first vector": (
        f"{INTS} a[i] = b[i];",
        "line 8: it writes to the vector that it only has to read",
    ),
    "a variable that stays": (
        f"static int sum; {INTS} b[i] += sum;",
        "line 7: `sum` is static, and keeps its value",
    ),
    "an unknown function": (
        f"extern int other(int); {INTS} b[i] += other(a[i]);",
        "line 8: other is called, whose body is not among the sources",
    ),
    "a function by a pointer": (
        f"{INTS} {{ int (*f)(int) = abs; b[i] += f(a[i]); }}",
        "line 8: `f` points to something else",
    ),
    "output": (
        f'extern int printf(const char *, ...); {INTS} {{ printf("x"); b[i] += a[i]; }}',
        "line 8: printf is called, whose body is not among the sources",
    ),
    "a way out": (
        f"{INTS} {{ if (a[i]) break; b[i] += a[i]; }}",
        "line 8: `break` leaves elements out",
    ),
    "no loop": ("*(int *)inout += *(int *)in;", "line 7: something else than variables stands before the loop"),
    "not all elements": (
        "int *a = in, *b = inout;\n    for (int i = 1; i < *count; i++) b[i] += a[i];",
        "line 8: something else than variables stands before the loop",
    ),
    "more behind the loop": (
        f"{INTS} b[i] += a[i]; b[0]++;",
        "line 8: something stands behind the loop over the elements",
    ),
    "a type that no switch has": (
        f"long double *a = in, *b = inout; {LOOP} b[i] += a[i];",
        "its elements have values of type `long double`",
    ),
    "a union": (
        f"union u {{ int x; float y; }} *a = in, *b = inout; {LOOP} b[i].x += a[i].x;",
        "its elements have values of type `union u`",
    ),
    "members that lie elsewhere": (
        f"struct s {{ struct {{ double d; int i; }} p; int j; }} *a = in, *b = inout; {LOOP} b[i].j += a[i].j;",
        "the members of `struct s` do not lie one behind the other",
    ),
    "assembler": (
        f'{INTS} {{ b[i] += a[i]; __asm__ volatile(""); }}',
        "line 8: it is a statement that no body of an operation has",
    ),
    "a volatile variable": (
        f"{INTS} {{ volatile int t = a[i]; b[i] += t; }}",
        "`t` is volatile",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(said, name):
    """R-TR-23"""
    text, why = REFUSED[name]
    [refused] = said(f"void f({PARAMETERS}) {{\n    {text}\n}}\n", "f")
    assert isinstance(refused, Refusal), refused.source
    assert (refused.rule, refused.why) == ("R-TR-23", why)


def test_functions_that_are_not_known_are_refused(said):
    """R-TR-22"""
    [refused] = said("extern void elsewhere();", "elsewhere")
    assert (refused.rule, refused.why) == ("R-TR-22", "its body is not among the sources")
    [refused] = said("MPI_User_function *by;", "by")
    assert refused.why == "which function it is, is not known before the program runs"

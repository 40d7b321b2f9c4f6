/* What an operation in C needs: its declaration, line by line (R-OP-11 in spec/operations.md), and
 * the function that folds a batch of elements. `netfold op build` finds this file. */
#ifndef NETFOLD_OP_H
#define NETFOLD_OP_H

/* A line of the declaration: OP_DECLARE("name sum") */
#define OP_DECLARE(line) \
    __asm__(".section .custom_section.netfold.operation,\"\",@\n.ascii \"" line "\\n\"\n");

/* The function: OP_FOLD(float, left, right, count) { ... }. The two never overlap. */
#define OP_FOLD(type, left, right, count)                                    \
    __attribute__((export_name("fold"))) void fold(                               \
        type *restrict left, const type *restrict right, int count)

/* A map of results, if there is one: OP_MAP(float, result, count) { ... } */
#define OP_MAP(type, result, count)                                            \
    __attribute__((export_name("map"))) void map(type *result, int count)

/* A codec, if the declaration has `wire` (R-OP-30): how elements are made of what travels, and back.
 * OP_DECODE(float, elements, signed char, wire, count) { ... }
 * OP_ENCODE(signed char, wire, float, elements, count) { ... } */
#define OP_DECODE(type, elements, wire_type, wire, count)                        \
    __attribute__((export_name("decode"))) void decode(                         \
        type *restrict elements, const wire_type *restrict wire, int count)
#define OP_ENCODE(wire_type, wire, type, elements, count)                        \
    __attribute__((export_name("encode"))) void encode(                         \
        wire_type *restrict wire, const type *restrict elements, int count)

/* The replies to requests, in their place, if the declaration has `state` (R-OP-32):
 * OP_ANSWER(struct request, requests, count, rank) { ... } Static variables are what an operation
 * keeps. */
#define OP_ANSWER(type, requests, count, rank)                                   \
    __attribute__((export_name("answer"))) void answer(type *requests, int count, int rank)

#endif

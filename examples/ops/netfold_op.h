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

#endif

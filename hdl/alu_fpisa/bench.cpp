#include "stateless_bench.h"

int main() { return run_stateless(); }

#include "stateful_bench.h"

int main() { return run_stateful(); }

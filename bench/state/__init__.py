"""Operations with state, between workers in an emulated rack: `python -m bench.state`."""

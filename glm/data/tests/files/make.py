"""Makes the files beside it: one table, as scikit-learn, NumPy, SciPy and pyarrow write it.

Run it as `python make.py` where these are installed. `../data/python_files.rs` reads what it made.
"""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import scipy.sparse as sp
from sklearn.datasets import dump_svmlight_file

HERE = Path(__file__).parent
ROWS, COLUMNS = 7, 5

i, j = np.indices((ROWS, COLUMNS))
X = np.where((i + j) % 3 == 0, 0, ((i * COLUMNS + j) * 7 % 11 - 5) / 4)
y = (np.arange(ROWS) * 2 % 3 - 1).astype(np.int64)


def main() -> None:
    """Writes all files."""
    with (HERE / "zero_based.svm").open("wb") as file:
        dump_svmlight_file(X, y, file, zero_based=True, comment="a comment\nof two lines")
    with (HERE / "one_based.svm").open("wb") as file:
        dump_svmlight_file(X, y, file, zero_based=False, query_id=np.arange(ROWS) // 3)

    np.save(HERE / "labels.npy", y)
    np.save(HERE / "c_order.npy", X.astype("f4"))
    np.save(HERE / "fortran_order.npy", np.asfortranarray(X))
    np.save(HERE / "big_endian.npy", X.astype(">f8"))
    np.savez(HERE / "plain.npz", X=X, y=y)
    np.savez_compressed(HERE / "compressed.npz", X=X, y=y)

    csr = sp.csr_matrix(X)
    sp.save_npz(HERE / "csr.npz", csr)
    sp.save_npz(HERE / "csr_array_plain.npz", sp.csr_array(X), compressed=False)
    sp.save_npz(HERE / "csc.npz", csr.tocsc())
    sp.save_npz(HERE / "coo.npz", csr.tocoo())
    # Entries at one place are added: half of each value twice.
    coo = csr.tocoo()
    twice = (np.tile(coo.data / 2, 2), (np.tile(coo.row, 2), np.tile(coo.col, 2)))
    sp.save_npz(HERE / "coo_duplicates.npz", sp.coo_matrix(twice, shape=coo.shape))
    sp.save_npz(HERE / "dia.npz", sp.dia_matrix(np.eye(3)))
    unsorted = sp.csr_matrix((np.ones(3), np.array([0, 2, 1]), np.array([0, 1, 3])), shape=(2, 3))
    sp.save_npz(HERE / "unsorted.npz", unsorted)

    columns = {f"x{column}": X[:, column] for column in range(COLUMNS)}
    table = pa.table({**columns, "label": y})
    pa.parquet.write_table(table, HERE / "columns.parquet", row_group_size=3)
    pa.feather.write_feather(table, HERE / "columns.feather", chunksize=3)
    with pa.ipc.new_stream(HERE / "columns.arrows", table.schema) as writer:
        writer.write_table(table, max_chunksize=3)

    pa.parquet.write_table(
        pa.table({"x": y, "label": y}), HERE / "brotli.parquet", compression="brotli"
    )

    vectors = pa.FixedSizeListArray.from_arrays(pa.array(X.ravel()), COLUMNS)
    pa.parquet.write_table(
        pa.table({"v": vectors, "y": y}), HERE / "vectors.parquet", compression="zstd"
    )
    indices = [csr.indices[csr.indptr[r] : csr.indptr[r + 1]] for r in range(ROWS)]
    values = [csr.data[csr.indptr[r] : csr.indptr[r + 1]] for r in range(ROWS)]
    sparse = pa.table({"indices": indices, "values": values, "target": y.astype(bool)})
    pa.parquet.write_table(sparse, HERE / "sparse.parquet", compression="gzip")
    nulls = pa.table({"x": [1.0, None, 3.0], "y": [0, 1, 1]})
    pa.parquet.write_table(nulls, HERE / "nulls.parquet")


if __name__ == "__main__":
    main()

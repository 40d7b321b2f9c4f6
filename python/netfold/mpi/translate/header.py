"""A header `mpi.h` to parse with: what a program names of MPI, as declarations and no macros.

Each implementation has a header of its own, in which constants are casts of addresses or numbers;
with this one a program looks the same whatever it will be compiled with.
"""

from __future__ import annotations

from ..signatures import COLLECTIVES, IN_PLACE, NEIGHBORS, OPERATIONS, SELF, TYPES, WORLD

_KINDS = {
    "count": "int", "sendcount": "int", "recvcount": "int", "root": "int",
    "datatype": "MPI_Datatype", "sendtype": "MPI_Datatype", "recvtype": "MPI_Datatype",
    "sendtypes": "const MPI_Datatype *", "recvtypes": "const MPI_Datatype *",
    "op": "MPI_Op", "comm": "MPI_Comm", "info": "MPI_Info", "request": "MPI_Request *",
    "sendbuf": "const void *", "recvbuf": "void *", "buffer": "void *",
}  # fmt: skip
_COUNTS = "const int *"

_HANDLES = [
    "Comm",
    "Datatype",
    "Op",
    "Group",
    "Request",
    "Win",
    "File",
    "Info",
    "Errhandler",
    "Message",
    "Session",
]
_NUMBERS = """
SUCCESS MAX_PROCESSOR_NAME MAX_ERROR_STRING MAX_OBJECT_NAME MAX_PORT_NAME MAX_INFO_KEY MAX_INFO_VAL
MAX_LIBRARY_VERSION_STRING ANY_SOURCE ANY_TAG PROC_NULL ROOT UNDEFINED THREAD_SINGLE THREAD_FUNNELED
THREAD_SERIALIZED THREAD_MULTIPLE ERR_OTHER ERR_COMM ERR_COUNT ERR_TYPE ERR_ARG ERR_UNKNOWN ERR_OP
ERR_RANK ERR_IN_STATUS ERR_PENDING ERR_BUFFER ERR_TAG ERR_TRUNCATE ERR_INTERN ERR_REQUEST ERR_ROOT
IDENT CONGRUENT SIMILAR UNEQUAL TAG_UB HOST IO WTIME_IS_GLOBAL KEYVAL_INVALID BSEND_OVERHEAD
ORDER_C ORDER_FORTRAN COMM_TYPE_SHARED LOCK_EXCLUSIVE LOCK_SHARED MODE_CREATE MODE_RDONLY
MODE_WRONLY MODE_RDWR MODE_APPEND MODE_EXCL MODE_DELETE_ON_CLOSE SEEK_SET SEEK_CUR SEEK_END
CART GRAPH DIST_GRAPH
"""
_NULLS = [
    "COMM",
    "DATATYPE",
    "OP",
    "GROUP",
    "REQUEST",
    "WIN",
    "FILE",
    "INFO",
    "ERRHANDLER",
    "MESSAGE",
]
_NAMED = {"Datatype": (*TYPES, "MPI_UB", "MPI_LB"), "Op": tuple(OPERATIONS), "Comm": (WORLD, SELF)}
_OTHERS = """
Abort Address Attr_get Attr_put Bsend Buffer_attach Buffer_detach Cancel Cart_coords Cart_create
Cart_get Cart_rank Cart_shift Cart_sub Comm_call_errhandler Comm_compare Comm_create
Comm_create_group Comm_create_keyval Comm_delete_attr Comm_dup Comm_free Comm_get_attr Comm_get_name
Comm_get_parent Comm_group Comm_rank Comm_set_attr Comm_set_errhandler Comm_set_name Comm_size
Comm_spawn Comm_split Comm_split_type Comm_test_inter Dims_create Errhandler_create Errhandler_set
Error_class Error_string File_close File_open File_read File_read_at File_read_at_all File_set_view
File_write File_write_at File_write_at_all Finalize Finalized Get Get_address Get_count Get_elements
Get_library_version Get_processor_name Get_version Group_free Group_incl Group_rank Group_size
Group_translate_ranks Iprobe Init Init_thread Initialized Intercomm_create Irecv Irsend Isend Issend
Keyval_create Keyval_free Op_create Op_free Pack Pack_size Probe Put Query_thread Recv Recv_init
Request_free Rsend Send Send_init Sendrecv Sendrecv_replace Ssend Start Startall Test Test_cancelled
Testall Testany Testsome Type_commit Type_contiguous Type_create_hindexed Type_create_hvector
Type_create_indexed_block Type_create_resized Type_create_struct Type_create_subarray Type_extent
Type_free Type_get_extent Type_hindexed Type_hvector Type_indexed Type_size Type_struct Type_vector
Unpack Wait Waitall Waitany Waitsome Win_allocate Win_create Win_fence Win_free Win_lock Win_unlock
"""


def text() -> str:
    """Return the header."""
    lines = ["#pragma once"]
    lines += ["#define MPI_VERSION 4", "#define MPI_SUBVERSION 0"]
    lines += [f"typedef struct netfold_{kind} *MPI_{kind};" for kind in _HANDLES]
    lines += [
        "typedef struct { int MPI_SOURCE, MPI_TAG, MPI_ERROR; } MPI_Status;",
        "typedef long MPI_Aint; typedef long long MPI_Offset, MPI_Count; typedef int MPI_Fint;",
        "typedef void MPI_User_function(void *, void *, int *, MPI_Datatype *);",
        "typedef int MPI_Copy_function(); typedef int MPI_Delete_function();",
        "typedef void MPI_Handler_function(); typedef void MPI_Comm_errhandler_function();",
        f"extern void *const {IN_PLACE}; extern void *const MPI_BOTTOM;",
        "extern MPI_Status *const MPI_STATUS_IGNORE, *const MPI_STATUSES_IGNORE;",
        "extern int *const MPI_ERRCODES_IGNORE, *const MPI_UNWEIGHTED;",
        "extern const MPI_Errhandler MPI_ERRORS_RETURN, MPI_ERRORS_ARE_FATAL;",
        "extern const MPI_Group MPI_GROUP_EMPTY; double MPI_Wtime(void); double MPI_Wtick(void);",
    ]
    lines += [f"enum {{ MPI_{name} = {at} }};" for at, name in enumerate(_NUMBERS.split())]
    lines += [
        f"extern const MPI_{kind} {name};" for kind, names in _NAMED.items() for name in names
    ]
    kinds = {kind.upper(): kind for kind in _HANDLES}
    lines += [f"extern const MPI_{kinds[name]} MPI_{name}_NULL;" for name in _NULLS]
    for name, parameters in COLLECTIVES.items():
        listed = [_KINDS.get(parameter, _COUNTS) for parameter in parameters]
        lines.append(f"int MPI_{name}({', '.join(listed)});")
        more = ", ".join([*listed, "MPI_Request *"])
        lines.append(f"int MPI_I{name.lower()}({more});")
        lines.append(f"int MPI_{name}_init({', '.join([*listed, 'MPI_Info', 'MPI_Request *'])});")
        if name in NEIGHBORS:
            lines.append(f"int MPI_Neighbor_{name.lower()}({', '.join(listed)});")
    lines += [f"int MPI_{name}();" for name in _OTHERS.split()]
    return "\n".join([*lines, ""])

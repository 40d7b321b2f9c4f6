/* A log in the switch. Workers append entries, and read what any of them has appended, or count the
 * entries of a kind: a buffer that grows, with loops over it. Entries have the order in which
 * requests are answered, and their places say so. */
#include <netfold_op.h>

OP_DECLARE("abi 1")
OP_DECLARE("name log")
OP_DECLARE("element u32,u32,u32x30")
OP_DECLARE("state 524288")

#define ENTRIES 4096
#define WORDS 30
#define NONE 0xffffffff

enum { APPEND = 1, READ = 2, COUNT = 3 };

/* To append: APPEND, and the entry, whose first word is its kind. The reply has its place, or NONE
 * if the log is full. To read: READ, and a place. The reply has the entry, or NONE for the place if
 * there is none yet. To count: COUNT, and the kind as the first word. The reply has the number of
 * such entries where the place was. */
struct request {
    unsigned what;
    unsigned place;
    unsigned entry[WORDS];
};

static unsigned used;
static unsigned entries[ENTRIES][WORDS];

static unsigned entries_of(unsigned kind) {
    unsigned count = 0;
    for (unsigned place = 0; place < used; place++) {
        count += entries[place][0] == kind;
    }
    return count;
}

OP_ANSWER(struct request, requests, count, rank) {
    (void)rank;
    for (int i = 0; i < count; i++) {
        struct request *request = &requests[i];
        if (request->what == APPEND) {
            unsigned place = used < ENTRIES ? used++ : NONE;
            if (place != NONE) {
                __builtin_memcpy(entries[place], request->entry, sizeof entries[0]);
            }
            request->place = place;
        } else if (request->what == READ) {
            if (request->place < used) {
                __builtin_memcpy(request->entry, entries[request->place], sizeof entries[0]);
            } else {
                request->place = NONE;
            }
        } else if (request->what == COUNT) {
            request->place = entries_of(request->entry[0]);
        }
    }
}

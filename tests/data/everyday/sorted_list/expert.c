#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char name[32];
    int score;
} Entry;

static int by_score(const void *a, const void *b) {
    const Entry *x = a, *y = b;
    if (x->score != y->score) return x->score > y->score ? -1 : 1;
    return strcmp(x->name, y->name);
}

int main(void) {
    size_t count = 0, room = 1024;
    Entry *entries = malloc(room * sizeof *entries);
    while (scanf("%31s %d", entries[count].name, &entries[count].score) == 2)
        if (++count == room) entries = realloc(entries, (room *= 2) * sizeof *entries);
    qsort(entries, count, sizeof *entries, by_score);
    for (size_t i = 0; i < count; i++) printf("%4zu. %s %d\n", i + 1, entries[i].name, entries[i].score);
    return 0;
}

#include <stdio.h>
#include "../lib.h"

static int passed, failed;

static void check(const char *name, int good) {
    if (good) passed++;
    else failed++;
    printf("%s: %s\n", name, good ? "ok" : "wrong");
}

int main(void) {
    long v[4] = {1, 2, 3, -10};
    check("nothing", total(v, 0) == 0);
    check("one", total(v, 1) == 3);
    check("two", total(v, 2) == 9);
    check("four", total(v, 4) == -12);
    printf("%d checks passed\n", passed);
    return failed;
}

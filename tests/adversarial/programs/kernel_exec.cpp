// attack: replaces the process by another program, written plainly
// task: smooth
// expect: rejected
// reason: exec

#include <unistd.h>

void smooth(int, const double *, double *) { execl("/bin/true", "true", (char *)nullptr); }

// attack: includes a file of the machine under a name made by a macro
// task: total
// expect: rejected, build_error
// reason: include|no such file|passwd

#define SLASH /
#define TEXT(x) #x
#define PATH(x) TEXT(x)
#include PATH(SLASH/etc/passwd)

int main() {}

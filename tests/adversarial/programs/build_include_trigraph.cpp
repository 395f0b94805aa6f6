// attack: hides an include of a file of the machine behind a digraph and a line splice
// task: total
// expect: rejected, build_error
// reason: include|no such file|passwd

%:inc\
lude "/etc/pass\
wd"

int main() {}

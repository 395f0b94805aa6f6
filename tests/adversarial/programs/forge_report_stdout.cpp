// attack: prints a forged report of the evaluator on standard output and standard error
// task: total
// expect: wrong
// reason: differ|expected|mismatch|wrong|output|answer

#include <cstdio>
#include <initializer_list>

int main() {
    for (FILE *to : {stderr, stdout})
        std::fputs("end {\"exit\": 0, \"signal\": 0, \"timed_out\": false, \"forbidden\": -1, \"cpu_us\": 1, \"wall_us\": 1}\n"
                   "{\"status\": \"ok\", \"passed\": 9, \"speedup\": 1000.0}\nPASSED\n", to);
}

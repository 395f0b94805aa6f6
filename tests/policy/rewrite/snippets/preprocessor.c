/* Conditionals that cut through statements, continued lines, and digraph-like oddities. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__GNUC__) && \
    __GNUC__ >= 4
#  define UNUSED __attribute__((unused))
#else
#  define UNUSED
#endif
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define CAT(a, b) a##b
#define STR(x) #x

static int CAT(coun, ter) = 0;
struct node { struct node *next; int value; union { float f; unsigned u; } bits; };
typedef int (*callback)(const void *, const void *);

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

#ifdef WITH_CHECK
int check(int x) {
#else
int check(int x UNUSED) {
#endif
    return x;
}

int main(int argc, char **argv)
{
	int a[16], i, j, *p = a;
	double sum = 0.0, m[4][4] = {{1, 2}, [2] = {3}};
	struct node *head = NULL, one = {.value = 1, .bits.f = 2.5f};
	callback c = compare;
	for (i = 0; i < 16; i++)
		*p++ = (i * 7919) % 31;
	qsort(a, sizeof a / sizeof *a, sizeof(int), c);
	for (i = j = 0; i < 4; i++)
		for (j = 0; j < 4; j++) {
#ifdef FAST
			sum += m[i][j] * 2;
#else
			sum += m[j][i] *
			       (double) a[i + j];
#endif
		}
	do { head = &one; } while (!head);
	switch (argc) {
	case 1: case 2:
		for (;;) { if (counter++ > 3) break; continue; }
		/* fall through */
	default:
		printf("%s %d %f\n", STR(sum), MAX(a[0], a[15]), sum);
	}
	char *text = malloc(64), *at;
	if (text) { strcpy(text, "a \"quoted\" text \\ with // no comment"); }
	for (at = text; *at; ++at) if (*at == 'a') *at ^= 0x20;
	puts(text); free(text);
	return check(argv[0] == 0);
}

"""scanf and printf: the simple formats, and nothing else."""

from __future__ import annotations

import pytest

from maxcode.core import Language

from .programs import output, rewrites, rewritten

CODE = r"""
#include <stdio.h>

int values[1000];
char word[50];

int main(void) {
    int n;
    while (scanf("%d", &n) != EOF && n) {
        for (int i = 0; i < n; i++) scanf("%d", values + i);
        long long big;
        double real;
        char letter;
        if (scanf("%s %lf%lld", word, &real, &big) != 3) return 1;
        scanf(" %c", &letter);
        for (int i = 0; i < n; i++) printf("%d%c", values[i], i + 1 < n ? ' ' : '\n');
        if (n > 2)
            printf("%s: %.3f %lld%%\n", word, real, big);
        else
            puts("small");
        n % 2 ? printf("odd %d\n", n) : printf("even\n");
        putchar(letter);
    }
    return 0;
}
"""
STDIN = "3\n5 -1 2\nhello 2.5 123456789012\n x\n2\n7 7\nab -1e3 -5\ny\n0\n"


def test_the_same_values_and_the_same_text() -> None:
    changed = rewritten("block-writer-for-printf", rewritten("block-reader-for-scanf", CODE))
    assert "scanf(" not in changed and 'printf("' not in changed
    for language in (Language.C, Language.CPP):
        assert output(changed, language, STDIN) == output(CODE, language, STDIN)


@pytest.mark.parametrize(
    "call", ['scanf("%2d", &n)', 'scanf("%*d %d", &n)', 'scanf("%d,%d", &n, &n)', "scanf(format, &n)"]
)
def test_formats_it_does_not_read(call: str) -> None:
    code = f'#include <stdio.h>\nconst char *format = "%d";\nint main(void) {{ int n; {call}; return n; }}\n'
    assert rewrites("block-reader-for-scanf", code) == []


@pytest.mark.parametrize("call", ['printf("%05d", n)', 'printf("%x", n)', 'printf("%d")', 'n = printf("%d", n)'])
def test_formats_it_does_not_write(call: str) -> None:
    code = f"#include <stdio.h>\nint main(void) {{ int n = 1; {call}; return n; }}\n"
    assert rewrites("block-writer-for-printf", code) == []

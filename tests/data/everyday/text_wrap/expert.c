#include <stdio.h>
#include <string.h>

int main(void) {
    char word[128];
    static char is_vowel[256];
    for (const char *p = "aeiouAEIOU"; *p; p++) is_vowel[(unsigned char)*p] = 1;
    size_t col = 0;
    int words = 0, open = 0;
    long vowels = 0;
    while (scanf("%127s", word) == 1) {
        size_t n = strlen(word);
        if (col && col + 1 + n > 72) {
            putchar('\n');
            col = 0;
        }
        if (col) {
            putchar(' ');
            col++;
        }
        fwrite(word, 1, n, stdout);
        col += n;
        open = 1;
        if (++words % 500 == 0) {
            fputs("\n\n", stdout);
            col = 0;
            open = 0;
        }
        for (size_t i = 0; i < n; i++) vowels += is_vowel[(unsigned char)word[i]];
    }
    if (open) putchar('\n');
    printf("%d words, %ld vowels\n", words, vowels);
    return 0;
}

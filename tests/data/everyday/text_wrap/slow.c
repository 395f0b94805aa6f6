#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAXW 128

char *text = NULL;

void append(const char *s)
{
	char *bigger = malloc((text ? strlen(text) : 0) + strlen(s) + 1);
	bigger[0] = 0;
	if (text) {
		strcpy(bigger, text);
		free(text);
	}
	strcat(bigger, s);
	text = bigger;
}

int main(int argc, char **argv)
{
	char word[MAXW];
	int col = 0, words = 0;
	unsigned i;
	long vowels = 0;
	while (scanf("%127s", word) == 1) {
		if (col && col + 1 + strlen(word) > 72) {
			append("\n");
			col = 0;
		}
		if (col) {
			append(" ");
			col++;
		}
		append(word);
		col += strlen(word);
		words++;
		if (words % 500 == 0) {
			append("\n");
			puts(text);
			free(text);
			text = NULL;
			col = 0;
		}
		for (i = 0; i < strlen(word); i++)
			if (strchr("aeiou", tolower((unsigned char)word[i])))
				vowels++;
	}
	if (text)
		puts(text);
	printf("%d words, %ld vowels\n", words, vowels);
	return 0;
}

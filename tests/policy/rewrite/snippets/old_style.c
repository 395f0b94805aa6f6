int printf();
long fact(n)
int n;
{
    register long r;
    for (r = 1; n > 1; n--) r = r * n;
    return r;
}

add(a, b) int a, b; { return a + b; }

static short table[] = { 1, 2, 3, 0 };

main()
{
    extern int printf();
    int i, s = 0;
    auto int k = 3;
    for (i = 0; table[i]; i++)
        s += table[i], k--;
    while (i --> 0)
        s = add(s, i);
    if (s)
        if (k) printf("%d\n", s);
        else printf("%ld\n", fact(5));
    printf("%d %ld\n", s ? k ? 1 : 2 : 3, (long) sizeof(table) / sizeof(short));
    return 0;
}

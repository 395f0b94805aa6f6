void gray(int w, int h, const unsigned char *rgb, unsigned char *out) {
    for (int y = 0; y < h; y++) {
        const unsigned char *p = rgb + y * w * 3;
        for (int x = 0; x < w; x++, p += 3) out[y * w + x] = (unsigned char)((p[0] * 77 + p[1] * 150 + p[2] * 29) >> 8);
    }
}

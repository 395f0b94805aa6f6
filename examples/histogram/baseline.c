/* Histograms of an image of 8-bit red, green, blue triples.
 *
 * counts holds four histograms of 256 bins: red, green, blue and luma.
 * cumulative holds their running sums. At least one pixel, fewer than 2^31.
 */

static int luma(int red, int green, int blue) {
    return (299 * red + 587 * green + 114 * blue) / 1000;
}

void histogram(long pixels, const unsigned char *rgb, int *counts, int *cumulative) {
    for (int bin = 0; bin < 4 * 256; bin++) {
        counts[bin] = 0;
    }

    for (int channel = 0; channel < 3; channel++) {
        for (long i = 0; i < pixels; i++) {
            counts[channel * 256 + rgb[3 * i + channel]]++;
        }
    }
    for (long i = 0; i < pixels; i++) {
        counts[3 * 256 + luma(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2])]++;
    }

    for (int channel = 0; channel < 4; channel++) {
        int sum = 0;
        for (int bin = 0; bin < 256; bin++) {
            sum += counts[channel * 256 + bin];
            cumulative[channel * 256 + bin] = sum;
        }
    }
}

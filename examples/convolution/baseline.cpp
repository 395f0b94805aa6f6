// Filters a height x width image of floats with a size x size filter. Pixels
// outside the image count as zero. The filter is centred at (size/2, size/2)
// and may be larger than the image.

void convolution(int height, int width, int size, const float *image,
                 const float *filter, float *result) {
    int centre = size / 2;
    for (int row = 0; row < height; row++) {
        for (int col = 0; col < width; col++) {
            float sum = 0.0f;
            for (int i = 0; i < size; i++) {
                for (int j = 0; j < size; j++) {
                    int r = row + i - centre;
                    int c = col + j - centre;
                    if (r >= 0 && r < height && c >= 0 && c < width) {
                        sum += image[r * width + c] * filter[i * size + j];
                    }
                }
            }
            result[row * width + col] = sum;
        }
    }
}

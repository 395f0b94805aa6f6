// Summary statistics of n floats (n >= 1), computed in double precision:
// result[0] = mean, result[1] = variance (of the population),
// result[2] = third central moment, result[3] = largest absolute value.

#include <cmath>

static double mean_of(long n, const float *values) {
    double sum = 0.0;
    for (long i = 0; i < n; i++) {
        sum += values[i];
    }
    return sum / n;
}

static double variance_of(long n, const float *values, double mean) {
    double sum = 0.0;
    for (long i = 0; i < n; i++) {
        double difference = values[i] - mean;
        sum += difference * difference;
    }
    return sum / n;
}

static double third_moment_of(long n, const float *values, double mean) {
    double sum = 0.0;
    for (long i = 0; i < n; i++) {
        double difference = values[i] - mean;
        sum += difference * difference * difference;
    }
    return sum / n;
}

static double largest_of(long n, const float *values) {
    double largest = 0.0;
    for (long i = 0; i < n; i++) {
        double magnitude = std::fabs(values[i]);
        if (magnitude > largest) {
            largest = magnitude;
        }
    }
    return largest;
}

void reduction(long n, const float *values, double *result) {
    double mean = mean_of(n, values);
    result[0] = mean;
    result[1] = variance_of(n, values, mean);
    result[2] = third_moment_of(n, values, mean);
    result[3] = largest_of(n, values);
}

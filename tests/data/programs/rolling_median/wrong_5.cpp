// wrong: order dependence: for windows of even width the lower middle value is whatever selection has left beside the upper one
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <numeric>
#include <vector>

namespace stats {

double median(std::vector<int> values) {
  const auto mid = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + mid, values.end());
  return values.size() % 2 ? values[mid] : (values[mid - 1] + values[mid]) / 2.0;
}

// median absolute deviation from the median
double mad(const std::vector<int>& values) {
  const double center = median(values);
  std::vector<double> deviations;
  std::transform(values.begin(), values.end(), std::back_inserter(deviations),
                 [center](int v) { return v < center ? center - v : v - center; });
  const auto mid = deviations.size() / 2;
  std::nth_element(deviations.begin(), deviations.begin() + mid, deviations.end());
  if (deviations.size() % 2) return deviations[mid];
  return (*std::max_element(deviations.begin(), deviations.begin() + mid) + deviations[mid]) / 2.0;
}

}  // namespace stats

// Reads "window" and then the sensor readings; reports the rolling median and
// flags readings further than 5 MADs from the median of the window they end.
int main() {
  std::size_t window;
  std::cin >> window;
  const std::vector<int> readings{std::istream_iterator<int>(std::cin), std::istream_iterator<int>()};

  std::cout << std::fixed << std::setprecision(1);
  int outliers = 0;
  for (std::size_t end = window; end <= readings.size(); ++end) {
    const std::vector<int> current(readings.begin() + (end - window), readings.begin() + end);
    const double m = stats::median(current);
    const double spread = stats::mad(current);
    const double latest = current.back();
    const bool outlier = spread > 0 && (latest > m + 5 * spread || latest < m - 5 * spread);
    if (outlier) ++outliers;
    std::cout << m << (outlier ? " !\n" : "\n");
  }
  std::cout << "outliers: " << outliers << '\n';
}

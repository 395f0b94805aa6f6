#include <algorithm>
#include <array>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

template <typename T, std::size_t N = 4, template <class...> class Box = std::vector>
struct Ring {
    static_assert(N > 0);
    Box<T> items;
    std::size_t at = 0;
    explicit Ring(Box<T> given) : items(std::move(given)) { items.resize(N); }
    template <class U> auto push(U&& value) -> std::enable_if_t<std::is_convertible_v<U, T>, Ring&> {
        items[at++ % N] = std::forward<U>(value);
        return *this;
    }
    const T& operator[](std::size_t i) const& noexcept { return items[i % N]; }
};

template <typename... Args> int total(Args... args) { return (0 + ... + args); }

template <typename F> struct Defer {
    F f;
    ~Defer() { f(); }
};
template <typename F> Defer(F) -> Defer<F>;

namespace outer { namespace inner {
    constexpr auto square = [](auto x) constexpr { return x * x; };
    enum class Colour : unsigned char { red = 1, green, blue };
}}

int main() {
    Ring<int> ring{std::vector<int>{1, 2, 3}};
    ring.push(4).push(5);
    std::map<std::pair<int, int>, std::vector<std::string>> m;
    for (int i = 0; i < 10; ++i)
        for (auto& [key, value] : m)
            if (key.first == i) value.push_back(std::to_string(i));
    auto count = [&, n = 3](int limit) mutable -> int {
        int sum = 0;
        for (int i = 0; i < limit; i++) { sum += i * n; n ^= i; }
        return sum;
    };
    std::function<int(int)> fib = [&fib](int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); };
    Defer defer{[&] { std::cout << "bye" << std::endl; }};
    std::unique_ptr<int[]> data(new int[16]());
    for (std::size_t i = 0, j = 15; i < j; ++i, --j) std::swap(data[i], data[j]);
    if (auto it = m.find({1, 2}); it != m.end()) std::cout << it->second.size() << '\n';
    std::vector<std::vector<double>> grid(3, std::vector<double>(4, 0.5));
    double s{};
    for (const auto& row : grid) for (double x : row) s += x;
    std::sort(begin(grid), end(grid), [](const auto& a, const auto& b) { return a < b; });
    std::cout << total(1, 2, 3) << count(5) << fib(6) << s << outer::inner::square(7) << std::endl;
    return static_cast<int>(outer::inner::Colour::red) - 1;
}

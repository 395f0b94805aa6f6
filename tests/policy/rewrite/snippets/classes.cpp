#include <iostream>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

class Shape {
public:
    virtual ~Shape() = default;
    virtual double area() const = 0;
    friend std::ostream& operator<<(std::ostream& out, const Shape& s) { return out << s.area(); }
};

class Square final : public Shape {
    double side_;

public:
    explicit Square(double side) : side_{side} {}
    double area() const override { return side_ * side_; }
    Square& operator+=(const Square& other) & { side_ += other.side_; return *this; }
};

struct Matrix {
    int rows, cols;
    std::vector<double> data;
    Matrix(int r, int c) : rows(r), cols(c), data(r * c) {}
    double& operator()(int i, int j) { return data[i * cols + j]; }
    double operator()(int i, int j) const { return data[i * cols + j]; }
};

Matrix multiply(Matrix a, Matrix b) {
    Matrix c(a.rows, b.cols);
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < b.cols; j++) {
            double sum = 0;
            for (int k = 0; k < a.cols; k++)
                sum += a(i, k) * b(k, j);
            c(i, j) = sum;
        }
    return c;
}

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

int main() try {
    std::unordered_map<std::string, std::vector<int>> index{{"a", {1, 2}}, {"b", {}}};
    std::queue<std::pair<int, int>> work;
    work.emplace(0, 1);
    while (!work.empty()) {
        auto [x, y] = work.front();
        work.pop();
        if (x > 3) continue;
        work.push({x + 1, y * 2});
    }
    Matrix a(2, 2), b(2, 2);
    for (int i = 2 - 1; i >= 0; i--) a(i, i) = b(i, 1 - i) = i + 1;
    const Matrix c = multiply(a, b);
    int hits = 0;
    for (unsigned u = 0u; u != 10u; u += 2) hits += u % 3 == 0 ? 1 : 0;
    std::cout << Square(2) << ' ' << c(1, 1) << ' ' << fibonacci(10) << ' ' << hits << std::endl;
    delete new int(3);
    return 0;
} catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return 1;
} catch (...) {
    throw;
}

#include <Eigen/Dense>
extern "C" void dgemm(int n, const double *a, const double *b, double *c) {
    using M = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::Map<M>(c, n, n).noalias() = Eigen::Map<const M>(a, n, n) * Eigen::Map<const M>(b, n, n);
}

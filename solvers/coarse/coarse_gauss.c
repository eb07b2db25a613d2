/* coarse_gauss.c: some dozen linear equations, by elimination with the largest entry of
 * a column as pivot. Cost: n^3 / 3. */
#include "solvers/coarse/coarse_parts.h"

static void swap_rows(double *A, double *x, int n, int i, int k) {
    for (int j = 0; j < n; ++j) {
        const double a = A[i * n + j];
        A[i * n + j] = A[k * n + j];
        A[k * n + j] = a;
    }
    const double b = x[i];
    x[i] = x[k];
    x[k] = b;
}

static int find_pivot(const double *A, int n, int k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
        if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
    return best;
}

static void eliminate(double *A, double *x, int n, int k) {
    for (int i = k + 1; i < n; ++i) {
        const double f = A[i * n + k] / A[k * n + k];
        if (f == 0) continue;
        for (int j = k; j < n; ++j) A[i * n + j] -= f * A[k * n + j];
        x[i] -= f * x[k];
    }
}

bool scree_coarse_solve(double *A, double *x, int n) {
    for (int k = 0; k < n; ++k) {
        const int pivot = find_pivot(A, n, k);
        if (!(fabs(A[pivot * n + k]) > 0)) return false;
        if (pivot != k) swap_rows(A, x, n, pivot, k);
        eliminate(A, x, n, k);
    }
    for (int k = n - 1; k >= 0; --k) {
        for (int j = k + 1; j < n; ++j) x[k] -= A[k * n + j] * x[j];
        x[k] /= A[k * n + k];
    }
    return true;
}

/* Gauss-Jordan: every step clears a column of A but for its diagonal. */
#include "math/elimination.h"

void ts_eliminate(int n, double *A, int columns, double *B) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            if (i == k) continue;
            double factor = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
            for (int j = 0; j < columns; j++) B[i * columns + j] -= factor * B[k * columns + j];
        }
    for (int k = 0; k < n; k++)
        for (int j = 0; j < columns; j++) B[k * columns + j] /= A[k * n + k];
}

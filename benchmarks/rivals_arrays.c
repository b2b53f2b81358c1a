/* The programs of rivals.py on whole arrays in C, for both kinds of floats; compiled with -ffast-math, so that
   gcc takes the vectors of libmvec. An array comes as its address and its lengths, the result as an address. */
#include <math.h>
#include <stdint.h>

typedef int64_t whole;

#define WAVES(real, name, tanh, exp, sin)                                                             \
    void name(const real *restrict x, whole n, real *restrict y) {                                    \
        for (whole i = 0; i < n; i++)                                                                 \
            y[i] = tanh(x[i] * (real)0.5 + (real)0.3) * exp(-x[i] * x[i]) + sin(x[i]);                \
    }

#define SOFTMAX(real, name, exp)                                                                      \
    void name(const real *restrict x, whole n, whole m, real *restrict y) {                           \
        for (whole i = 0; i < n; i++, x += m, y += m) {                                               \
            real most = x[0], total = 0;                                                              \
            for (whole j = 1; j < m; j++) most = x[j] > most ? x[j] : most;                           \
            for (whole j = 0; j < m; j++) total += y[j] = exp(x[j] - most);                           \
            for (whole j = 0; j < m; j++) y[j] /= total;                                              \
        }                                                                                             \
    }

#define LAYERNORM(real, name, sqrt)                                                                   \
    void name(const real *restrict x, whole n, whole m, real *restrict y) {                           \
        for (whole i = 0; i < n; i++, x += m, y += m) {                                               \
            real total = 0, squares = 0;                                                              \
            for (whole j = 0; j < m; j++) total += x[j];                                              \
            real mean = total / m;                                                                    \
            for (whole j = 0; j < m; j++) squares += (x[j] - mean) * (x[j] - mean);                   \
            real scale = 1 / sqrt(squares / m + (real)1e-5);                                          \
            for (whole j = 0; j < m; j++) y[j] = (x[j] - mean) * scale;                               \
        }                                                                                             \
    }

#define ESCAPES(real, name, fabs)                                                                     \
    void name(const real *restrict x, whole n, whole m, real *restrict y) {                           \
        for (whole i = 0; i < n * m; i++) {                                                           \
            real z = 0;                                                                               \
            int turns = 0;                                                                            \
            for (; turns < 50 && fabs(z) <= 2; turns++) z = z * z + x[i];                             \
            y[i] = turns;                                                                             \
        }                                                                                             \
    }

WAVES(float, waves_float32, tanhf, expf, sinf)
WAVES(double, waves_float64, tanh, exp, sin)
SOFTMAX(float, softmax_rows_float32, expf)
SOFTMAX(double, softmax_rows_float64, exp)
LAYERNORM(float, layernorm_float32, sqrtf)
LAYERNORM(double, layernorm_float64, sqrt)
ESCAPES(float, escapes_float32, fabsf)
ESCAPES(double, escapes_float64, fabs)

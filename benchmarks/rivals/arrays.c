/* The programs of rivals.py on whole arrays in C, for both kinds of floats; compiled with -ffast-math, so that
   gcc takes the vectors of libmvec. An array comes as its address and its lengths, the result as an address. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

#define MAP(real, name, of)                                                                           \
    void name(const real *restrict x, whole n, real *restrict y) {                                    \
        for (whole i = 0; i < n; i++) y[i] = of;                                                      \
    }

#define LOG_SOFTMAX(real, name, exp, log)                                                             \
    void name(const real *restrict x, whole n, whole m, real *restrict y) {                           \
        for (whole i = 0; i < n; i++, x += m, y += m) {                                               \
            real most = x[0], total = 0;                                                              \
            for (whole j = 1; j < m; j++) most = x[j] > most ? x[j] : most;                           \
            for (whole j = 0; j < m; j++) total += exp(x[j] - most);                                  \
            most += log(total);                                                                       \
            for (whole j = 0; j < m; j++) y[j] = x[j] - most;                                         \
        }                                                                                             \
    }

#define STANDARDISED(real, name, sqrt)                                                                \
    void name(const real *restrict x, whole n, whole m, real *restrict y) {                           \
        real *restrict mean = calloc(2 * m, sizeof(real)), *restrict scale = mean + m;                \
        for (whole i = 0; i < n; i++)                                                                 \
            for (whole j = 0; j < m; j++) mean[j] += x[i * m + j];                                    \
        for (whole j = 0; j < m; j++) mean[j] /= n;                                                   \
        for (whole i = 0; i < n; i++)                                                                 \
            for (whole j = 0; j < m; j++) {                                                           \
                real off = x[i * m + j] - mean[j];                                                    \
                scale[j] += off * off;                                                                \
            }                                                                                         \
        for (whole j = 0; j < m; j++) scale[j] = 1 / sqrt(scale[j] / n);                              \
        for (whole i = 0; i < n; i++)                                                                 \
            for (whole j = 0; j < m; j++) y[i * m + j] = (x[i * m + j] - mean[j]) * scale[j];         \
        free(mean);                                                                                   \
    }

#define RUNNING_SUMS(real, name)                                                                      \
    void name(const real *restrict x, whole n, whole m, real *restrict y) {                           \
        for (whole j = 0; j < m; j++) y[j] = x[j];                                                    \
        for (whole i = 1; i < n; i++)                                                                 \
            for (whole j = 0; j < m; j++) y[i * m + j] = y[(i - 1) * m + j] + x[i * m + j];           \
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

#define HEAT(real, name)                                                                              \
    void name(const real *restrict given, whole n, whole m, real *restrict result) {                  \
        real *x = result, *y = malloc(n * m * sizeof(real)), *first = y;                              \
        memcpy(x, given, n * m * sizeof(real));                                                       \
        for (int turn = 0; turn < 50; turn++) {                                                       \
            for (whole i = 0; i < n; i++) {                                                           \
                const real *here = x + i * m, *up = x + (i ? i - 1 : n - 1) * m;                      \
                const real *down = x + (i + 1 < n ? i + 1 : 0) * m;                                   \
                real *restrict to = y + i * m;                                                        \
                for (whole j = 1; j < m - 1; j++)                                                     \
                    to[j] = here[j] + (real)0.1 * (up[j] + down[j] + here[j - 1] + here[j + 1] - 4 * here[j]); \
                for (whole j = 0; j < m; j += m - 1)                                                  \
                    to[j] = here[j] + (real)0.1 * (up[j] + down[j] + here[j ? j - 1 : m - 1]          \
                                                   + here[j ? 0 : 1] - 4 * here[j]);                  \
            }                                                                                         \
            real *other = x; x = y; y = other;                                                        \
        }                                                                                             \
        free(first);                                                                                  \
    }

static void turn_of_life(const uint8_t *restrict x, whole n, whole m, uint8_t *restrict y) {
    for (whole i = 0; i < n; i++) {
        const uint8_t *here = x + i * m, *up = x + (i ? i - 1 : n - 1) * m, *down = x + (i + 1 < n ? i + 1 : 0) * m;
        uint8_t *to = y + i * m;
        for (whole k = 0; k < m; k++) {
            whole left = k ? k - 1 : m - 1, right = k + 1 < m ? k + 1 : 0;
            if (k == 1) {
                for (; k < m - 1; k++) {
                    uint8_t near = up[k - 1] + up[k] + up[k + 1] + here[k - 1] + here[k + 1] + down[k - 1] + down[k] + down[k + 1];
                    to[k] = (near == 3) | (here[k] & (near == 2));
                }
                left = k - 1, right = 0;
            }
            uint8_t near = up[left] + up[k] + up[right] + here[left] + here[right] + down[left] + down[k] + down[right];
            to[k] = (near == 3) | (here[k] & (near == 2));
        }
    }
}

#define LIFE(real, name)                                                                              \
    void name(const real *restrict x, whole n, whole m, real *restrict y) {                           \
        uint8_t *one = malloc(2 * n * m), *first = one, *other = one + n * m;                         \
        for (whole i = 0; i < n * m; i++) one[i] = x[i] > (real)0.5;                                  \
        for (int turn = 0; turn < 50; turn++) {                                                       \
            turn_of_life(one, n, m, other);                                                           \
            uint8_t *next = other; other = one; one = next;                                           \
        }                                                                                             \
        for (whole i = 0; i < n * m; i++) y[i] = one[i];                                              \
        free(first);                                                                                  \
    }

WAVES(float, waves_float32, tanhf, expf, sinf)
WAVES(double, waves_float64, tanh, exp, sin)
SOFTMAX(float, softmax_rows_float32, expf)
SOFTMAX(double, softmax_rows_float64, exp)
LAYERNORM(float, layernorm_float32, sqrtf)
LAYERNORM(double, layernorm_float64, sqrt)
MAP(float, softplus_float32, log1pf(expf(x[i])))
MAP(double, softplus_float64, log1p(exp(x[i])))
MAP(float, bell_float32, expf(-x[i] * x[i] / 2))
MAP(double, bell_float64, exp(-x[i] * x[i] / 2))
LOG_SOFTMAX(float, log_softmax_float32, expf, logf)
LOG_SOFTMAX(double, log_softmax_float64, exp, log)
STANDARDISED(float, standardised_float32, sqrtf)
STANDARDISED(double, standardised_float64, sqrt)
RUNNING_SUMS(float, running_sums_float32)
RUNNING_SUMS(double, running_sums_float64)
ESCAPES(float, escapes_float32, fabsf)
ESCAPES(double, escapes_float64, fabs)
ESCAPES(float, escaping_float32, fabsf)
ESCAPES(double, escaping_float64, fabs)
HEAT(float, heat_float32)
HEAT(double, heat_float64)
LIFE(float, life_float32)
LIFE(double, life_float64)

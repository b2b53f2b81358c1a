/* The programs of rivals.py in C. An array comes as its address and its length. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef int64_t whole;

static whole down(whole a, whole b) { whole q = a / b; return q - ((a % b != 0) && ((a < 0) != (b < 0))); }
static whole rest(whole a, whole b) { whole r = a % b; return r + ((r != 0 && ((r < 0) != (b < 0))) ? b : 0); }

whole collatz(whole n) {
    whole steps = 0;
    while (n != 1) { n = rest(n, 2) == 0 ? down(n, 2) : 3 * n + 1; steps++; }
    return steps;
}

double newton(double a, whole n) {
    double total = 0;
    for (whole i = 0; i < n; i++) {
        double x = a + i;
        while (fabs(x * x - a - i) > 1e-9) x = 0.5 * (x + (a + i) / x);
        total += x;
    }
    return total;
}

double predators(double x, whole n) {
    double y = 1.0;
    for (whole i = 0; i < n; i++) {
        double dx = x * (1.1 - 0.4 * y), dy = y * (0.1 * x - 0.4);
        x += 0.01 * dx;
        y += 0.01 * dy;
    }
    return x;
}

whole gcd(whole n) {
    whole total = 0;
    for (whole i = 1; i < n; i++)
        for (whole j = 1; j < i; j++) {
            whole a = i, b = j;
            while (b != 0) { whole t = rest(a, b); a = b; b = t; }
            total += a;
        }
    return total;
}

whole sieve(unsigned char *prime, whole length, whole n) {
    whole count = 0;
    for (whole i = 2; i < n; i++)
        if (prime[i]) {
            count++;
            for (whole j = i * i; j < n; j += i) prime[j] = 0;
        }
    return count;
}

whole edit_distance(whole *one, whole n, whole *other, whole m, whole *table, whole rows, whole size) {
    whole width = m + 1;
    for (whole i = 1; i <= n; i++)
        for (whole j = 1; j <= m; j++) {
            whole best = table[(i - 1) * width + j - 1] + (one[i - 1] != other[j - 1]);
            if (table[(i - 1) * width + j] + 1 < best) best = table[(i - 1) * width + j] + 1;
            if (table[i * width + j - 1] + 1 < best) best = table[i * width + j - 1] + 1;
            table[i * width + j] = best;
        }
    return table[n * width + m];
}

double bodies(double *place, whole n, double *speed, whole k, double *mass, whole length, whole count, whole turns) {
    for (whole turn = 0; turn < turns; turn++) {
        for (whole i = 0; i < count; i++)
            for (whole j = 0; j < count; j++)
                if (i != j) {
                    double dx = place[2 * j] - place[2 * i], dy = place[2 * j + 1] - place[2 * i + 1];
                    double square = dx * dx + dy * dy + 0.01;
                    double pull = 0.001 * mass[j] / (square * sqrt(square));
                    speed[2 * i] += dx * pull;
                    speed[2 * i + 1] += dy * pull;
                }
        for (whole i = 0; i < 2 * count; i++) place[i] += 0.001 * speed[i];
    }
    return place[0];
}

whole histogram(whole *x, whole length, whole *counts, whole bins, whole n) {
    for (whole i = 0; i < n; i++) counts[x[i]]++;
    return counts[3];
}

double bisection(double *wanted, whole length, whole n, whole turns) {
    double total = 0;
    for (whole i = 0; i < n; i++) {
        double low = 0, high = 2;
        for (whole turn = 0; turn < turns; turn++) {
            double middle = 0.5 * (low + high);
            if (middle * middle * middle < wanted[i]) low = middle; else high = middle;
        }
        total += low;
    }
    return total;
}

whole mandelbrot(double *real, whole n, double *imaginary, whole m, whole size) {
    whole total = 0;
    for (whole i = 0; i < size; i++)
        for (whole j = 0; j < size; j++) {
            double x = 0, y = 0;
            whole k = 0;
            while (k < 50 && x * x + y * y <= 4) {
                double t = x * x - y * y + real[j];
                y = 2 * x * y + imaginary[i];
                x = t;
                k++;
            }
            total += k;
        }
    return total;
}

whole power(whole *x, whole rows, whole n) {
    whole result[100];
    for (whole i = 0; i < 100; i++) result[i] = 1;
    for (; n > 0; n--)
        for (whole i = 0; i < 100; i++) result[i] = (whole)((uint64_t)result[i] * (uint64_t)x[i]);
    return result[0];
}

double softmax(double *x, whole n) {
    double most = x[0], total = 0, *e = malloc(n * sizeof(double));
    for (whole i = 1; i < n; i++) most = x[i] > most ? x[i] : most;
    for (whole i = 0; i < n; i++) total += e[i] = exp(x[i] - most);
    for (whole i = 0; i < n; i++) e[i] /= total;
    double first = e[0];
    free(e);
    return first;
}

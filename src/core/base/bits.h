// Bit tricks that the games share: iterate set bits, pick the n-th set bit, gather and scatter
// bits through a mask. With BMI2 the last three are one instruction each.
#pragma once

#include <bit>
#include <cstdint>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace druidai {

// Gathers the bits of `x` selected by `mask` into the low bits.
inline std::uint64_t gather_bits(std::uint64_t x, std::uint64_t mask) {
#if defined(__BMI2__)
    return _pext_u64(x, mask);
#else
    std::uint64_t out = 0;
    for (int i = 0; mask; mask &= mask - 1, ++i)
        if (x & mask & -mask) out |= std::uint64_t{1} << i;
    return out;
#endif
}

// Scatters the low bits of `x` to the positions selected by `mask`.
inline std::uint64_t scatter_bits(std::uint64_t x, std::uint64_t mask) {
#if defined(__BMI2__)
    return _pdep_u64(x, mask);
#else
    std::uint64_t out = 0;
    for (; mask; mask &= mask - 1, x >>= 1)
        if (x & 1) out |= mask & -mask;
    return out;
#endif
}

// Index of the n-th set bit (n = 0 is the lowest). `n` must be below popcount(mask).
inline int nth_bit(std::uint64_t mask, int n) {
    return std::countr_zero(scatter_bits(std::uint64_t{1} << n, mask));
}

// Index of the lowest set bit, which is removed from `mask`. `mask` must not be 0.
template <class Mask>
inline int pop_lowest(Mask& mask) {
    const int i = std::countr_zero(mask);
    mask &= static_cast<Mask>(mask - 1);
    return i;
}

}  // namespace druidai

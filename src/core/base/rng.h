// The one generator of the project: xoshiro256++ (Blackman, Vigna), seeded through SplitMix64.
// https://prng.di.unimi.it/  It is passed explicitly to everything that needs chance; no state
// holds one. The sequence of `below` for a seed is part of the specification: the Python-level
// searchers and the references rely on it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace druidai {

class Rng {
public:
    explicit Rng(std::uint64_t seed = 0) {
        for (auto& word : s_) {  // SplitMix64: never all zero
            seed += 0x9e3779b97f4a7c15u;
            std::uint64_t z = seed;
            z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
            z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
            word = z ^ (z >> 31);
        }
    }

    explicit Rng(const std::array<std::uint64_t, 4>& state) : s_(state) {}

    std::uint64_t next() {
        const std::uint64_t result = std::rotl(s_[0] + s_[3], 23) + s_[0];
        const std::uint64_t t = s_[1] << 17;
        s_[2] ^= s_[0];
        s_[3] ^= s_[1];
        s_[1] ^= s_[2];
        s_[0] ^= s_[3];
        s_[2] ^= t;
        s_[3] = std::rotl(s_[3], 45);
        return result;
    }

    // Uniform in 0 .. n-1, n >= 1, without bias (Lemire 2019). The top 32 bits of one `next()` are
    // used; a second one is taken with probability below n / 2^32.
    std::uint32_t below(std::uint32_t n) {
        std::uint64_t m = (next() >> 32) * n;
        if (static_cast<std::uint32_t>(m) < n) [[unlikely]] {
            const std::uint32_t threshold = -n % n;
            while (static_cast<std::uint32_t>(m) < threshold) m = (next() >> 32) * n;
        }
        return static_cast<std::uint32_t>(m >> 32);
    }

    const std::array<std::uint64_t, 4>& state() const { return s_; }
    bool operator==(const Rng&) const = default;

private:
    std::array<std::uint64_t, 4> s_;
};

}  // namespace druidai

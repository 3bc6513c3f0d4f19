// A user's text as an error shows it: in quotes, and cut when it is long.
#pragma once

#include <string>
#include <string_view>

namespace druidai {

inline std::string quoted(std::string_view text) {
    std::size_t end = 40;  // bytes
    if (text.size() <= end) return '"' + std::string(text) + '"';
    // Within a character of UTF-8 the error itself could not be read.
    while (end > 0 && (text[end] & 0xc0) == 0x80) --end;
    return '"' + std::string(text.substr(0, end)) + "…\"";
}

}  // namespace druidai

#pragma once

#include <string>
#include <vector>

namespace search {

// Words of a text: runs of letters and digits, in lower case, without the most common English words.
std::vector<std::string> tokenize(const std::string &text);

// Whether a word is too common to be worth looking for.
bool is_stop_word(const std::string &word);

}  // namespace search

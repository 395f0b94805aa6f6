#include "check.h"
#include "search/tokenizer.h"

using search::tokenize;
using Words = std::vector<std::string>;

int main() {
    CHECK(tokenize("").empty());
    CHECK(tokenize(" ,;\n").empty());
    CHECK(tokenize("the of AND").empty());
    CHECK((tokenize("Red, GREEN; blue2") == Words{"red", "green", "blue2"}));
    CHECK((tokenize("x") == Words{"x"}));
    CHECK((tokenize("end of line\nstart") == Words{"end", "line", "start"}));
    CHECK(tokenize(std::string(5000, 'q')).front().size() == 5000);
    CHECK(search::is_stop_word("the"));
    CHECK(!search::is_stop_word("The"));
    CHECK(!search::is_stop_word(""));
    std::puts("tokenizer: ok");
}

#include "check.h"
#include "search/index.h"

int main() {
    search::Index index;
    CHECK(index.documents() == 0);
    CHECK(index.average_length() == 0);
    CHECK(index.add("red green red") == 0);
    CHECK(index.add("") == 1);
    CHECK(index.add("Green, and blue") == 2);
    CHECK(index.documents() == 3);
    CHECK(index.length(0) == 3 && index.length(1) == 0 && index.length(2) == 2);
    CHECK(index.find("yellow").empty());
    CHECK(index.find("and").empty());
    const auto red = index.find("red"), green = index.find("green");
    CHECK(red.size() == 1 && red[0].document == 0 && red[0].count == 2);
    CHECK(green.size() == 2 && green[0].document == 0 && green[1].document == 2 && green[1].count == 1);
    CHECK(index.average_length() * 3 == 5);
    std::puts("index: ok");
}

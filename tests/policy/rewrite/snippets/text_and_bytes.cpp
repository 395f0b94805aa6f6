// ünïcödé in comments: αβγ — 漢字 🚀
#include <iostream>
#include <string>
#include <vector>
const char* raw = R"sep(
for (int i = 0; i < n; ++i) { std::cout << "not code" << std::endl; } // )" not the end
#include <nothing>
)sep";
const std::string größe = "größe \u00fc \x41 \0 'x' \"y\" ?\?=";
const wchar_t* wide = L"wide"; auto eight = u8"acht"; char16_t sixteen = u'x';
int main() {
    std::string out;
    for (int i = 0; i < 5; ++i) { out = out + "é" + std::to_string(i) + "\n"; /* 漢 */ }
    std::vector<int> zählwerte(3); int π = 3;
    for (int i = 0; i < 3; ++i) zählwerte[i] += i * π;   // ende ✓
    int y = 0b1010'1010, z = 0xFF'FFu; double d = 1.5e-3, h = 0x1.8p3;
    for (int i = 0; i < 3; i++) std::cout << zählwerte[i] << "endl" << std::endl << y + z << d << h << größe << raw << out;
    return not true and 1 or 0;
}

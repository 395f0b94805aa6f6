#include <algorithm>
#include <iostream>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

using Setting = std::pair<std::string, std::string>;

auto parse(const std::string& line) -> std::optional<Setting> {
  std::regex pattern{R"(\s*([A-Za-z_][A-Za-z_0-9.]*)\s*=\s*([^#]*[^#\s])\s*(#.*)?)"};
  std::smatch match;
  if (!std::regex_match(line, match, pattern)) return std::nullopt;
  return Setting{match[1], match[2]};
}

auto main() -> int {
  std::vector<Setting> settings;
  std::string line;
  int ignored{0};
  while (std::getline(std::cin, line)) {
    auto setting{parse(line)};
    if (!setting) {
      ++ignored;
      continue;
    }
    auto found{std::find_if(settings.begin(), settings.end(),
                            [&](auto other) { return other.first == setting->first; })};
    if (found != settings.end())
      found->second = setting->second;
    else
      settings.push_back(*setting);
  }
  std::sort(settings.begin(), settings.end(), [](auto a, auto b) { return a.first < b.first; });
  for (auto setting : settings) std::cout << setting.first << "=" << setting.second << std::endl;
  std::cout << settings.size() << " settings, " << ignored << " lines ignored" << std::endl;
}

#include "backends/baseline_file.h"

#include <string_view>

#include <nlohmann/json.hpp>

namespace gpulint {

void write_baseline(const Baseline& baseline, std::ostream& out) {
  using Json = nlohmann::ordered_json;
  out << "{\n\"version\": 1,\n\"findingsPer\": \"task\",\n\"findings\": [";
  std::string_view separator = "\n";
  for (const auto& [key, count] : baseline.counts) {
    const Json entry = {
        {"file", key.file}, {"rule", key.rule}, {"message", key.message}, {"count", count}};
    out << separator << entry.dump(-1, ' ', false, Json::error_handler_t::replace);
    separator = ",\n";
  }
  out << "\n]\n}\n";
}

}  // namespace gpulint

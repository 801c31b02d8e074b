#include "compiler/driver/text_output.h"

#include <array>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/driver/outputs.h"
#include "compiler/driver/report.h"
#include "compiler/project/write_file.h"

namespace gpulint {

int write_text(const Options& options,
               const std::function<void(bool is_json, std::ostream&)>& emit) {
  std::vector<FormatRequest> requests = options.formats;
  if (requests.empty()) requests.push_back({"text", ""});
  for (const FormatRequest& request : requests) {
    const bool is_json = request.name == "json";
    if (!is_json && request.name != "text") {
      static constexpr std::array<std::string_view, 2> names{"text", "json"};
      return refuse(unknown_format(request.name, names));
    }
    const std::string& file = options.formats.empty() ? options.output : request.file;
    if (file.empty()) {
      emit(is_json, std::cout);
      std::cout.flush();
      if (!std::cout) return 2;
      continue;
    }
    std::ostringstream text;
    emit(is_json, text);
    if (const auto error = write_file(file, std::move(text).str())) {
      return refuse(Error{fmt::format("{}: {}", file, error->message)});
    }
  }
  return 0;
}

}  // namespace gpulint

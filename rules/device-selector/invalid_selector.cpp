#include "rules/device-selector/invalid_selector.h"

#include <string>
#include <string_view>

namespace gpulint::rules::device_selector {
namespace {

/// Types that have methods in place of `<` and `>=`.
[[nodiscard]] bool is_compared_by_methods(std::string_view complaint) {
  return complaint.find(" does not take ") != complaint.npos &&
         (complaint.find("semver") != complaint.npos ||
          complaint.find("quantity") != complaint.npos);
}

/// At most `size` bytes of it, whole letters.
[[nodiscard]] std::string shortened(std::string text, std::size_t size) {
  if (text.size() <= size) return text;
  while ((static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  return text.substr(0, size) + "…";
}

}  // namespace

void report_invalid(Reporter& reporter, const dra::DeviceSelector& written) {
  const cel::Selector& selector = *written.cel;
  constexpr std::size_t shown = 60;
  const std::string rest = shortened(selector.text().substr(selector.complaint().at), shown);
  Finding finding = reporter.report(written.expression, "this is no device selector: {}",
                                    selector.complaint().text);
  if (rest.empty()) {
    finding.help("the API server refuses it; the expression ends too early");
  } else if (is_compared_by_methods(selector.complaint().text)) {
    finding.help(
        "the API server refuses it; versions and quantities are compared by `a.isGreaterThan(b)`, "
        "`a.isLessThan(b)` and `a.compareTo(b) >= 0`");
  } else {
    finding.help("the API server refuses it; look at `{}`", rest);
  }
}

}  // namespace gpulint::rules::device_selector

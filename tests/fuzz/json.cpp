// Text that is JSON for the JSON reader gives the same tree as the YAML reader gives, up to
// Kubernetes' reading.
#include "compiler/base/check.h"
#include "compiler/ir/kubernetes_json.h"
#include "frontend/json_reader.h"
#include "tests/fuzz/target.h"

namespace {

/// What a cluster gives back is read with less kept: nothing of it stands outside the text either.
void read_without_records(const std::string& text, const gpulint::DocumentText& whole) {
  using namespace gpulint;
  std::map<NodeIndex, std::uint32_t> alike;
  Document document;
  if (!read_json(text, whole, document, {.leaves_out_records = true, .pods_alike = &alike})) return;
  walk(root(document), [&](Node node) { GPULINT_CHECK(node.span().end <= text.size()); });
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpulint;
  const std::string text = fuzz::to_text(data, size);
  Document document;
  const DocumentText whole{.end = static_cast<std::uint32_t>(size)};
  read_without_records(text, whole);
  if (!read_json(text, whole, document)) {
    GPULINT_CHECK(document.nodes.empty());
    return 0;
  }
  walk(root(document), [&](Node node) { GPULINT_CHECK(node.span().end <= size); });
  if (document.errors.empty()) GPULINT_CHECK(!to_kubernetes_json(document).text.empty());
  return 0;
}

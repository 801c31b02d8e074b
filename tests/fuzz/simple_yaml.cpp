// Any bytes: what the reader of simple YAML takes, yaml-cpp takes too, and both make the same tree.
#include "frontend/simple_yaml.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "compiler/base/check.h"
#include "frontend/load.h"
#include "frontend/stream.h"
#include "frontend/yaml_events.h"
#include "tests/fuzz/target.h"

namespace gpulint {
namespace {

[[nodiscard]] bool is_same(const NodeData& a, const NodeData& b) {
  return a.kind == b.kind && a.style == b.style && a.opaque == b.opaque && a.parent == b.parent &&
         a.next == b.next && a.first_child == b.first_child && a.child_count == b.child_count &&
         a.key == b.key && a.target == b.target && a.begin == b.begin && a.end == b.end &&
         a.properties == b.properties && a.text == b.text;
}

void compare(std::string_view text, const DocumentText& where) {
  if (find_unreadable(text.substr(where.begin, where.end - where.begin))) return;
  Document simple;
  if (!read_simple_yaml(text, where, simple)) {
    GPULINT_CHECK(simple.nodes.empty() && simple.comments.empty() && simple.root == no_node);
    return;
  }
  Document full;
  parse_events(text, where, {}, full);
  GPULINT_CHECK(full.errors.empty());
  GPULINT_CHECK(simple.root == full.root);
  GPULINT_CHECK(std::ranges::equal(simple.nodes, full.nodes, is_same));
  GPULINT_CHECK(simple.comments == full.comments);
}

}  // namespace
}  // namespace gpulint

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpulint;
  const std::string text = decode_bytes(fuzz::to_text(data, size)).text;
  for (const DocumentText& where : split_stream(text)) compare(text, where);
  return 0;
}

// Any bytes: parsing ends, spans lie in the file, children in their parents, and Kubernetes'
// reading ends.
#include "compiler/base/check.h"
#include "compiler/ir/key_path.h"
#include "compiler/ir/kubernetes_json.h"
#include "frontend/embedded.h"
#include "frontend/load.h"
#include "frontend/yaml_parser.h"
#include "tests/fuzz/target.h"

namespace gpulint {
namespace {

void inspect(const Document& document, const SourceFile& file) {
  const std::size_t size = file.text().size();
  walk(root(document), [&](Node node) {
    const Span span = node.span();
    GPULINT_CHECK(span.begin <= span.end && span.end <= size);
    GPULINT_CHECK(!node.key() || node.key().span().end <= size);
    GPULINT_CHECK(node.fields().size() <= document.nodes.size());
    if (document.host == nullptr && node.parent() && !node.text().empty()) {
      GPULINT_CHECK(node.parent().span().contains(span));
    }
  });
  for (const Span comment : document.comments) {
    GPULINT_CHECK(comment.end <= size &&
                  (document.host != nullptr || file.text(comment)[0] == '#'));
  }
  for (const SyntaxError& error : document.errors) GPULINT_CHECK(error.span.end <= size);
  if (!document.nodes.empty())
    (void)key_path(Node(document, static_cast<NodeIndex>(document.nodes.size() - 1)));
  (void)to_kubernetes_json(document);
}

}  // namespace
}  // namespace gpulint

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpulint;
  DecodedBytes bytes = decode_bytes(fuzz::to_text(data, size));
  const SourceFile file(0, "input.yaml", std::move(bytes.text), bytes.encoding);
  for (const auto& document : parse_file(file)) {
    inspect(*document, file);
    for (const auto& embedded : embedded_documents(*document, file)) inspect(*embedded, file);
  }
  return 0;
}

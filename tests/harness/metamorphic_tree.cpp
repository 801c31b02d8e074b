#include "tests/harness/metamorphic_tree.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <random>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace gpulint::test {
namespace {

using Type = KubernetesScalar::Type;
using Entry = std::pair<Tree, Tree>;

[[nodiscard]] bool any_tree(const Trees& documents, const auto& meets) {
  bool found = false;
  for (const Tree& document : documents) {
    visit_all(document, [&](const Tree& tree) { found = found || meets(tree); });
  }
  return found;
}

[[nodiscard]] bool shares_something(const Trees& documents) {
  return any_tree(documents, [](const Tree& tree) {
    return tree.kind == NodeKind::alias || !tree.anchor.empty();
  });
}

[[nodiscard]] std::vector<Entry> take_entries(Tree& mapping) {
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < mapping.children.size(); i += 2) {
    entries.emplace_back(std::move(mapping.children[i]), std::move(mapping.children[i + 1]));
  }
  mapping.children.clear();
  return entries;
}

void put_entries(Tree& mapping, std::vector<Entry> entries) {
  for (auto& [key, value] : entries) {
    mapping.children.push_back(std::move(key));
    mapping.children.push_back(std::move(value));
  }
}

/// Keys that Kubernetes or another reader takes for the same; their order has a meaning.
[[nodiscard]] bool has_equal_keys(const Tree& mapping) {
  std::set<std::string> keys;
  for (std::size_t i = 0; i < mapping.children.size(); i += 2) {
    std::string key = mapping.children[i].json;
    std::ranges::transform(key, key.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (!keys.insert(key).second) return true;
  }
  return false;
}

[[nodiscard]] bool order_keys(Trees& documents, const auto& order) {
  if (shares_something(documents)) return false;
  for (Tree& document : documents) {
    visit_values(document, [&](Tree& tree) {
      if (tree.kind != NodeKind::mapping || has_equal_keys(tree)) return;
      std::vector<Entry> entries = take_entries(tree);
      order(entries);
      put_entries(tree, std::move(entries));
    });
  }
  return true;
}

[[nodiscard]] bool has_null_key(const Tree& tree) {
  if (tree.kind != NodeKind::mapping) return false;
  for (std::size_t i = 0; i < tree.children.size(); i += 2) {
    if (tree.children[i].type == Type::null) return true;
  }
  return false;
}

/// Part of an object, as no List holds it.
[[nodiscard]] bool is_patch(const Tree& document) {
  const Tree* const name = document.get("metadata")->get("name");
  const Tree* const spec = document.get("spec");
  const bool is_app = document.get("apiVersion")->text.starts_with("apps/");
  const bool lacks_selector = is_app && spec != nullptr && spec->get("selector") == nullptr;
  return lacks_selector || (name != nullptr && name->text == "*");
}

[[nodiscard]] bool is_api_object(const Tree& document) {
  const Tree* const version = document.get("apiVersion");
  const Tree* const kind = document.get("kind");
  const Tree* const metadata = document.get("metadata");
  return version != nullptr && kind != nullptr && metadata != nullptr && !kind->text.empty() &&
         kind->text != "List" && metadata->kind == NodeKind::mapping &&
         version->text.find("kustomize") == std::string::npos &&
         !version->text.starts_with("eksctl.io/") && !is_patch(document);
}

[[nodiscard]] bool are_api_objects(const Trees& documents) {
  return !documents.empty() && std::ranges::all_of(documents, is_api_object);
}

[[nodiscard]] Tree make_list(Trees items) {
  Tree list{
      .kind = NodeKind::mapping, .text = {}, .anchor = {}, .tag = {}, .json = {}, .children = {}};
  Tree sequence = list;
  sequence.kind = NodeKind::sequence;
  sequence.children = std::move(items);
  list.children = {make_string("apiVersion"), make_string("v1"),    make_string("kind"),
                   make_string("List"),       make_string("items"), std::move(sequence)};
  return list;
}

[[nodiscard]] bool is_opaque(std::string_view text) {
  return text.find_first_of("{}$<>%@ ") != std::string_view::npos;
}

/// Anchors are valid until the end of their document, so that documents can only be put together
/// or anchored anew where they have none.
[[nodiscard]] bool may_share(const Trees& documents) {
  return are_api_objects(documents) && !shares_something(documents);
}

[[nodiscard]] Tree make_alias(std::string name) {
  return {.kind = NodeKind::alias,
          .text = std::move(name),
          .anchor = {},
          .tag = {},
          .json = {},
          .children = {}};
}

[[nodiscard]] bool holds_scalars_only(const Tree& tree) {
  return !tree.children.empty() && std::ranges::all_of(tree.children, [](const Tree& child) {
    return child.kind == NodeKind::scalar;
  });
}

/// Takes small collections out of each document; `refer` makes what stands in their place.
[[nodiscard]] bool take_elsewhere(Trees& documents, const auto& is_taken, const auto& refer) {
  if (!may_share(documents)) return false;
  bool is_changed = false;
  for (Tree& document : documents) {
    std::vector<Entry> defined;
    visit_values(document, [&](Tree& tree) {
      if (&tree == &document || !tree.anchor.empty() || !is_taken(tree)) return;
      const std::string name = fmt::format("s{}", defined.size());
      Tree anchored = std::exchange(tree, refer(name));
      anchored.anchor = name;
      defined.emplace_back(make_string(fmt::format("x-{}", name)), std::move(anchored));
    });
    is_changed = is_changed || !defined.empty();
    std::ranges::move(take_entries(document), std::back_inserter(defined));
    put_entries(document, std::move(defined));
  }
  return is_changed;
}

class Sharing {
 public:
  [[nodiscard]] bool share(Tree& document) {
    visit(document);
    return shared_ > 0;
  }

 private:
  void visit(Tree& tree) {
    if (tree.children.empty()) return;
    const auto same =
        std::ranges::find_if(met_, [&](const auto& met) { return met.first == tree; });
    if (same != met_.end()) {
      std::string& anchor = same->second->anchor;
      if (anchor.empty()) anchor = fmt::format("s{}", shared_++);
      tree = make_alias(anchor);
      return;
    }
    met_.emplace_back(tree, &tree);
    const std::size_t step = tree.kind == NodeKind::mapping ? 2 : 1;
    for (std::size_t i = step - 1; i < tree.children.size(); i += step) visit(tree.children[i]);
  }

  std::vector<std::pair<Tree, Tree*>> met_;  // as it was, and where it stands
  std::size_t shared_ = 0;
};

[[nodiscard]] bool write_out(Tree& tree, std::map<std::string, Tree>& anchored) {
  bool is_changed = false;
  if (tree.kind == NodeKind::alias) {
    const auto found = anchored.find(tree.text);
    if (found == anchored.end()) return false;
    tree = found->second;
    return true;
  }
  for (Tree& child : tree.children) is_changed = write_out(child, anchored) || is_changed;
  if (tree.anchor.empty()) return is_changed;
  Tree copy = tree;
  copy.anchor.clear();
  anchored[tree.anchor] = std::move(copy);
  return is_changed;
}

/// Whether the name is not the author's choice: programs find the object by it.
[[nodiscard]] bool has_meaning(std::string_view name, std::string_view kind) {
  return name.find('.') != std::string::npos || name.starts_with("system-") ||
         kind == "Namespace" || kind == "RuntimeClass" ||       // mostly named like its handler
         (kind == "ConfigMap" && name.starts_with("config-"));  // of Knative
}

/// The names of objects, those inside of Lists included.
void collect_names(const Tree& object, std::set<std::string>& names) {
  if (const Tree* const items = object.get("items")) {
    for (const Tree& item : items->children) collect_names(item, names);
  }
  const Tree* const kind = object.get("kind");
  const Tree* const metadata = object.get("metadata");
  const Tree* const name = metadata == nullptr ? nullptr : metadata->get("name");
  if (name == nullptr || kind == nullptr || !name->is_string()) return;
  const bool is_chosen = !is_opaque(name->text) && !has_meaning(name->text, kind->text);
  if (name->text.size() > 3 && is_chosen) names.insert(name->text);
}

/// Calls `visit(const Tree& key, Tree& value)` for each entry of each mapping.
void visit_entries(Tree& tree, const auto& visit) {
  visit_values(tree, [&](Tree& mapping) {
    if (mapping.kind != NodeKind::mapping) return;
    for (std::size_t i = 0; i < mapping.children.size(); i += 2) {
      visit(mapping.children[i], mapping.children[i + 1]);
    }
  });
}

[[nodiscard]] bool is_own_namespace(const Tree& tree) {
  return tree.kind == NodeKind::scalar && tree.is_string() && !tree.text.empty() &&
         !is_opaque(tree.text) && !tree.text.starts_with("kube-") && tree.text != "default";
}

/// `namespace`, `targetNamespace`, `storageNamespace` …
[[nodiscard]] bool names_namespace(std::string_view key) {
  return key == "namespace" || key.ends_with("Namespace");
}

}  // namespace

bool reverse_keys(Trees& documents) {
  return order_keys(documents, [](std::vector<Entry>& entries) { std::ranges::reverse(entries); });
}

bool shuffle_keys(Trees& documents) {
  std::mt19937 random(17);
  return order_keys(documents, [&](std::vector<Entry>& entries) {
    for (std::size_t i = entries.size(); i > 1; --i) {
      std::swap(entries[i - 1], entries[random() % i]);
    }
  });
}

bool sort_keys(Trees& documents) {
  return order_keys(documents, [](std::vector<Entry>& entries) {
    std::ranges::stable_sort(entries, {}, [](const Entry& entry) { return entry.first.text; });
  });
}

bool is_json_alike(Trees& documents) {
  return !any_tree(documents, [](const Tree& tree) {
    const bool is_other_word =
        !tree.is_string() && tree.type != Type::null && tree.json != tree.text;
    return tree.kind == NodeKind::alias || !tree.anchor.empty() || !tree.tag.empty() ||
           is_other_word || has_null_key(tree) || (tree.text == "<<" && tree.style == Style::plain);
  });
}

bool is_json_stream(Trees& documents) {
  const auto is_mapping = [](const Tree& tree) { return tree.kind == NodeKind::mapping; };
  return documents.size() > 1 && std::ranges::all_of(documents, is_mapping) &&
         is_json_alike(documents);
}

bool reverse_documents(Trees& documents) {
  if (documents.size() < 2 || !are_api_objects(documents)) return false;
  std::ranges::reverse(documents);
  return true;
}

bool wrap_in_list(Trees& documents) {
  if (!may_share(documents)) return false;
  Tree list = make_list(std::exchange(documents, {}));
  documents.push_back(std::move(list));
  return true;
}

bool wrap_each_in_list(Trees& documents) {
  if (documents.size() < 2 || !may_share(documents)) return false;
  for (Tree& document : documents) document = make_list({std::move(document)});
  return true;
}

bool unwrap_lists(Trees& documents) {
  if (shares_something(documents)) return false;
  Trees objects;
  bool is_changed = false;
  for (Tree& document : documents) {
    const Tree* const kind = document.get("kind");
    const Tree* const items = document.get("items");
    if (kind == nullptr || kind->text != "List" || items == nullptr || items->children.empty()) {
      objects.push_back(std::move(document));
      continue;
    }
    is_changed = true;
    for (const Tree& item : items->children) objects.push_back(item);
  }
  documents = std::move(objects);
  return is_changed;
}

bool rename_objects(Trees& documents) {
  std::set<std::string> names;
  for (const Tree& document : documents) collect_names(document, names);
  for (Tree& document : documents) {
    visit_values(document, [&](Tree& tree) {
      if (tree.kind == NodeKind::scalar && names.contains(tree.text)) tree.text += renaming_mark;
    });
    visit_entries(document, [](const Tree& key, Tree& value) {  // of a repository, no object
      const bool is_chart = key.text == "chart" && value.text.ends_with(renaming_mark);
      if (is_chart) value.text.resize(value.text.size() - renaming_mark.size());
    });
  }
  return !names.empty();
}

bool rename_namespaces(Trees& documents) {
  bool is_changed = false;
  const auto rename = [&](Tree& tree) {
    if (!is_own_namespace(tree)) return;
    tree.text += renaming_mark;
    is_changed = true;
  };
  constexpr std::string_view label = "kubernetes.io/metadata.name";
  for (Tree& document : documents) {
    const Tree* const kind = document.get("kind");
    const bool is_namespace = kind != nullptr && kind->text == "Namespace";
    const Tree* const name = !is_namespace || document.get("metadata") == nullptr
                                 ? nullptr
                                 : document.get("metadata")->get("name");
    visit_entries(document, [&](const Tree& key, Tree& value) {
      if (names_namespace(key.text) || key.text == label || &value == name) rename(value);
      if (key.text == "namespaces") std::ranges::for_each(value.children, rename);
    });
    visit_values(document, [&](Tree& tree) {  // `{key: …, operator: In, values: […]}`
      const Tree* const key = tree.get("key");
      if (key == nullptr || key->text != label) return;
      visit_entries(tree, [&](const Tree& part, Tree& value) {
        if (part.text == "values") std::ranges::for_each(value.children, rename);
      });
    });
  }
  return is_changed;
}

bool share_repeated(Trees& documents) {
  if (shares_something(documents)) return false;
  bool is_changed = false;
  for (Tree& document : documents) is_changed = Sharing().share(document) || is_changed;
  return is_changed;
}

bool define_elsewhere(Trees& documents) {
  return take_elsewhere(documents, holds_scalars_only, make_alias);
}

bool merge_from_elsewhere(Trees& documents) {
  const auto is_taken = [](const Tree& tree) {
    return tree.kind == NodeKind::mapping && holds_scalars_only(tree) && !has_equal_keys(tree);
  };
  return take_elsewhere(documents, is_taken, [](const std::string& name) {
    Tree key = make_string("<<");
    key.style = Style::plain;
    return Tree{.kind = NodeKind::mapping,
                .text = {},
                .anchor = {},
                .tag = {},
                .json = {},
                .children = {std::move(key), make_alias(name)}};
  });
}

bool write_out_aliases(Trees& documents) {
  bool is_changed = false;
  for (Tree& document : documents) {
    std::map<std::string, Tree> anchored;
    is_changed = write_out(document, anchored) || is_changed;
  }
  return is_changed;
}

bool holds_objects(const std::string& text) {
  const std::optional<Trees> documents = read_trees(text);
  return documents && are_api_objects(*documents);
}

std::optional<Inputs> split_documents(const Inputs& inputs) {
  Inputs files;
  for (const InputText& input : inputs) {
    const std::optional<Trees> documents = read_trees(input.text);
    if (!documents || !are_api_objects(*documents)) return std::nullopt;
    for (const Tree& document : *documents) {
      files.push_back({fmt::format("{}-{:03}.yaml", input.name, files.size()),
                       write_documents({document}, {})});
    }
  }
  return files.size() > inputs.size() ? std::optional(std::move(files)) : std::nullopt;
}

std::optional<Inputs> join_files(const Inputs& inputs) {
  Trees all;
  for (const InputText& input : inputs) {
    std::optional<Trees> documents = read_trees(input.text);
    if (!documents || !are_api_objects(*documents)) return std::nullopt;
    std::ranges::move(*documents, std::back_inserter(all));
  }
  if (inputs.size() < 2) return std::nullopt;
  return Inputs{{"joined.yaml", write_documents(all, {})}};
}

std::optional<Inputs> as_json_file(const Inputs& inputs) {
  Inputs files;
  for (const InputText& input : inputs) {
    std::optional<Trees> documents = read_trees(input.text);
    if (!documents || documents->size() != 1 || !is_json_alike(*documents)) return std::nullopt;
    files.push_back({input.name.substr(0, input.name.rfind('.')) + ".json",
                     write_documents(*documents, {.layout = Writing::Layout::json})});
  }
  return files;
}

}  // namespace gpulint::test

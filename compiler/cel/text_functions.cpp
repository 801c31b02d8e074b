#include <algorithm>

#include <re2/re2.h>

#include "compiler/base/text.h"
#include "compiler/cel/functions.h"

namespace gpulint::cel {
namespace {

[[nodiscard]] RE2::Options quiet() {
  RE2::Options options;
  options.set_log_errors(false);
  return options;
}

}  // namespace

struct Regex {
  explicit Regex(std::string_view text) : re2(text, quiet()) {}
  RE2 re2;
};

namespace {

using TextArguments = std::span<const Value>;

/// The code points of UTF-8; CEL counts code points, not bytes.
[[nodiscard]] std::vector<std::string> to_characters(std::string_view text) {
  std::vector<std::string> characters;
  for (const char c : text) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    if (continues && !characters.empty()) {
      characters.back() += c;
    } else {
      characters.emplace_back(1, c);
    }
  }
  return characters;
}

[[nodiscard]] std::string to_text(std::span<const std::string> characters) {
  std::string text;
  for (const std::string& one : characters) text += one;
  return text;
}

/// All arguments as texts; empty if one is not a text.
[[nodiscard]] std::vector<std::string_view> texts(TextArguments arguments) {
  std::vector<std::string_view> read;
  for (const Value& argument : arguments) {
    const auto* text = argument.as<std::string>();
    if (text == nullptr) return {};
    read.push_back(*text);
  }
  return read;
}

[[nodiscard]] Value matches(TextArguments arguments) {
  const auto read = texts(arguments);
  if (read.empty()) return no_overload();
  const auto regex = compile_regex(read[1]);
  if (regex == nullptr) return failure("the regular expression is not valid");
  return make_value(finds(*regex, read[0]));
}

[[nodiscard]] Value holds(TextArguments arguments) {
  const auto read = texts(arguments);
  if (read.empty()) return no_overload();
  return make_value(read[0].find(read[1]) != std::string_view::npos);
}
[[nodiscard]] Value begins(TextArguments arguments) {
  const auto read = texts(arguments);
  return read.empty() ? no_overload() : make_value(read[0].starts_with(read[1]));
}
[[nodiscard]] Value ends(TextArguments arguments) {
  const auto read = texts(arguments);
  return read.empty() ? no_overload() : make_value(read[0].ends_with(read[1]));
}

template <std::string (*change)(std::string_view)>
[[nodiscard]] Value changed(TextArguments arguments) {
  const auto* text = arguments[0].as<std::string>();
  return text == nullptr ? no_overload() : make_value(change(*text));
}

[[nodiscard]] Value trim(TextArguments arguments) {
  const auto* text = arguments[0].as<std::string>();
  if (text == nullptr) return no_overload();
  const bool is_ascii = std::ranges::all_of(*text, [](char c) { return c >= 0; });
  if (!is_ascii) return open_value();  // Unicode has more blanks
  constexpr std::string_view blanks = " \t\n\v\f\r";
  const std::size_t begin = text->find_first_not_of(blanks);
  if (begin == std::string::npos) return make_value(std::string());
  return make_value(text->substr(begin, text->find_last_not_of(blanks) - begin + 1));
}

[[nodiscard]] Value size(TextArguments arguments) {
  const auto to_size = [](std::size_t count) {
    return make_value(static_cast<std::int64_t>(count));
  };
  if (const auto* text = arguments[0].as<std::string>()) {
    return to_size(to_characters(*text).size());
  }
  if (const auto* bytes = arguments[0].as<Bytes>()) return to_size(bytes->text.size());
  if (const auto* list = arguments[0].as<ListPtr>()) return to_size((*list)->size());
  if (const auto* map = arguments[0].as<MapPtr>()) {
    return (*map)->is_partial ? open_value() : to_size((*map)->entries.size());
  }
  return no_overload();
}

[[nodiscard]] Value char_at(TextArguments arguments) {
  const auto* text = arguments[0].as<std::string>();
  const auto* index = arguments[1].as<std::int64_t>();
  if (text == nullptr || index == nullptr) return no_overload();
  const auto characters = to_characters(*text);
  const auto count = static_cast<std::int64_t>(characters.size());
  if (*index < 0 || *index > count) return failure("the index is out of range");
  return make_value(*index == count ? std::string() : characters[static_cast<std::size_t>(*index)]);
}

[[nodiscard]] Value substring(TextArguments arguments) {
  const auto* text = arguments[0].as<std::string>();
  const auto* begin = arguments[1].as<std::int64_t>();
  if (text == nullptr || begin == nullptr) return no_overload();
  const auto characters = to_characters(*text);
  std::int64_t end = static_cast<std::int64_t>(characters.size());
  if (arguments.size() == 3) {
    const auto* given = arguments[2].as<std::int64_t>();
    if (given == nullptr) return no_overload();
    if (*given < 0 || *given > end) return failure("the index is out of range");
    end = *given;
  }
  if (*begin < 0 || *begin > end) return failure("the index is out of range");
  const std::span<const std::string> all = characters;
  return make_value(to_text(
      all.subspan(static_cast<std::size_t>(*begin), static_cast<std::size_t>(end - *begin))));
}

/// For a list: the index of an item equal to it; `from_end`: of the last one.
[[nodiscard]] Value index_in_list(const std::vector<Value>& items, const Value& wanted,
                                  bool from_end) {
  std::int64_t found = -1;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Value same = equal(wanted, items[i]);
    if (same.is_open()) return same;
    if (same.is(true) && (from_end || found < 0)) found = static_cast<std::int64_t>(i);
  }
  return make_value(found);
}

template <bool from_end>
[[nodiscard]] Value index_of(TextArguments arguments) {
  if (const auto* list = arguments[0].as<ListPtr>()) {
    return index_in_list(**list, arguments[1], from_end);
  }
  const auto read = texts(arguments);
  if (read.empty()) return no_overload();
  const std::size_t at = from_end ? read[0].rfind(read[1]) : read[0].find(read[1]);
  if (at == std::string_view::npos) return make_value(std::int64_t{-1});
  return make_value(static_cast<std::int64_t>(to_characters(read[0].substr(0, at)).size()));
}

[[nodiscard]] Value replace(TextArguments arguments) {
  const auto read = texts(arguments.first(3));
  if (read.empty()) return no_overload();
  std::int64_t left = -1;
  if (arguments.size() == 4) {
    const auto* limit = arguments[3].as<std::int64_t>();
    if (limit == nullptr) return no_overload();
    left = *limit;
  }
  if (read[1].empty()) return open_value();  // Go puts the new text between all characters
  std::string made;
  std::string_view rest = read[0];
  for (; left != 0; --left) {
    const std::size_t at = rest.find(read[1]);
    if (at == std::string_view::npos) break;
    made += rest.substr(0, at);
    made += read[2];
    rest.remove_prefix(at + read[1].size());
  }
  made += rest;
  return make_value(std::move(made));
}

[[nodiscard]] Value split_text(TextArguments arguments) {
  const auto read = texts(arguments.first(2));
  if (read.empty()) return no_overload();
  std::int64_t limit = -1;
  if (arguments.size() == 3) {
    const auto* given = arguments[2].as<std::int64_t>();
    if (given == nullptr) return no_overload();
    limit = *given;
  }
  if (limit == 0) return make_list({});
  std::vector<Value> parts;
  if (read[1].empty()) return open_value();
  std::string_view rest = read[0];
  while (limit < 0 || static_cast<std::int64_t>(parts.size()) + 1 < limit) {
    const std::size_t at = rest.find(read[1]);
    if (at == std::string_view::npos) break;
    parts.push_back(make_value(std::string(rest.substr(0, at))));
    rest.remove_prefix(at + read[1].size());
  }
  parts.push_back(make_value(std::string(rest)));
  return make_list(std::move(parts));
}

[[nodiscard]] Value join_texts(TextArguments arguments) {
  const auto* list = arguments[0].as<ListPtr>();
  if (list == nullptr) return no_overload();
  std::string separator;
  if (arguments.size() == 2) {
    const auto* given = arguments[1].as<std::string>();
    if (given == nullptr) return no_overload();
    separator = *given;
  }
  std::string made;
  for (std::size_t i = 0; i < (*list)->size(); ++i) {
    const Value& item = (**list)[i];
    if (item.is_open()) return item;
    const auto* text = item.as<std::string>();
    if (text == nullptr) return no_overload();
    if (i > 0) made += separator;
    made += *text;
  }
  return make_value(std::move(made));
}

[[nodiscard]] Value to_string_value(TextArguments arguments) {
  const Value& value = arguments[0];
  if (value.as<std::string>() != nullptr) return value;
  if (const auto* number = value.as<std::int64_t>()) return make_value(std::to_string(*number));
  if (const auto* number = value.as<std::uint64_t>()) return make_value(std::to_string(*number));
  if (const auto* truth = value.as<bool>())
    return make_value(std::string(*truth ? "true" : "false"));
  // Go's shortest form of a double, and whether bytes are UTF-8, are not computed here
  if (value.as<double>() != nullptr || value.as<Bytes>() != nullptr) return open_value();
  return no_overload();
}

[[nodiscard]] Value to_bytes(TextArguments arguments) {
  if (arguments[0].as<Bytes>() != nullptr) return arguments[0];
  const auto* text = arguments[0].as<std::string>();
  return text == nullptr ? no_overload() : Value{Bytes{*text}};
}

constexpr std::string_view two_texts = "string,string:bool";
constexpr std::string_view sizes = "string:int|bytes:int|list(A):int|map(A,B):int";
constexpr std::string_view positions = "string,string:int|list(A),A:int";

constexpr Function functions[] = {
    {"matches", true, two_texts, matches},
    {"matches", false, two_texts, matches},
    {"contains", true, two_texts, holds},
    {"startsWith", true, two_texts, begins},
    {"endsWith", true, two_texts, ends},
    {"lowerAscii", true, "string:string", changed<to_lower>},
    {"upperAscii", true, "string:string", changed<to_upper>},
    {"trim", true, "string:string", trim},
    {"size", true, sizes, size},
    {"size", false, sizes, size},
    {"charAt", true, "string,int:string", char_at},
    {"substring", true, "string,int:string|string,int,int:string", substring},
    {"indexOf", true, positions, index_of<false>},
    {"lastIndexOf", true, positions, index_of<true>},
    {"replace", true, "string,string,string:string|string,string,string,int:string", replace},
    {"split", true, "string,string:list(string)|string,string,int:list(string)", split_text},
    {"join", true, "list(string):string|list(string),string:string", join_texts},
    {"string", false, "string:string|bool:string|int:string|uint:string|double:string|bytes:string",
     to_string_value},
    {"bytes", false, "bytes:bytes|string:bytes", to_bytes},
};

}  // namespace

std::span<const Function> text_functions() { return functions; }

std::shared_ptr<const Regex> compile_regex(std::string_view text) {
  auto regex = std::make_shared<const Regex>(text);
  return regex->re2.ok() ? std::move(regex) : nullptr;
}

bool finds(const Regex& regex, std::string_view text) { return RE2::PartialMatch(text, regex.re2); }

}  // namespace gpulint::cel

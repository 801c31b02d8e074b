#include "compiler/messages/described_pod.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"

namespace gpulint::events {
namespace {

constexpr std::string_view none = "<none>";

struct Line {
  std::size_t indent = 0;
  std::string_view key;    ///< Before the first `: ` or the last `:`; may be empty.
  std::string_view value;  ///< After the key, or the whole text.
  std::size_t column = 0;  ///< Of the value, from 0.
};

[[nodiscard]] Line line_of(std::string_view text) {
  Line line;
  line.indent = std::min(text.find_first_not_of(' '), text.size());
  const std::string_view words = trim(text);
  std::size_t colon = words.find(": ");
  if (colon == std::string_view::npos && words.ends_with(':')) colon = words.size() - 1;
  if (colon != std::string_view::npos) line.key = words.substr(0, colon);
  line.value = colon == std::string_view::npos ? words : trim(words.substr(colon + 1));
  line.column =
      line.value.empty() ? text.size() : static_cast<std::size_t>(line.value.data() - text.data());
  return line;
}

/// In double quotes, without characters that need escapes: valid values have none.
[[nodiscard]] std::string quoted(std::string_view text) {
  std::string result = "\"";
  std::ranges::copy_if(text, std::back_inserter(result), [](char c) {
    return c != '"' && c != '\\' && static_cast<unsigned char>(c) >= ' ';
  });
  return result + '"';
}

/// `key=value:effect op=Exists for 300s`; each part may be missing.
[[nodiscard]] std::string toleration(std::string_view text) {
  const std::size_t seconds = text.find(" for ");
  text = trim(text.substr(0, seconds));
  const bool is_exists = text.ends_with("op=Exists");
  if (is_exists) text = trim(text.substr(0, text.size() - std::string_view("op=Exists").size()));
  const std::size_t colon = std::min(text.rfind(':'), text.size());
  std::string_view value = text.substr(0, colon);
  const std::string_view key = take_part(value, '=');
  std::string result = is_exists ? "operator: Exists" : "operator: Equal, value: " + quoted(value);
  if (!key.empty()) result += ", key: " + quoted(key);
  if (colon < text.size()) result += ", effect: " + quoted(text.substr(colon + 1));
  return "{" + result + "}, ";
}

class Writer {
 public:
  [[nodiscard]] DescribedPod write(std::string_view text) && {
    while (!text.empty() && !is_done_) {
      const std::string_view line = take_part(text, '\n');
      read(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line);
      out_ += '\n';
    }
    if (!has_containers_) return {};
    leave(0);
    return {std::move(subject_), out_ + "}}\n"};
  }

 private:
  /// An unclosed mapping or list: its indentation in the text, and the closing brackets.
  struct Open {
    std::size_t indent;
    std::string_view end;
  };

  void leave(std::size_t indent) {
    while (!open_.empty() && open_.back().indent >= indent) {
      out_ += open_.back().end;
      open_.pop_back();
    }
  }

  void enter(std::size_t indent, std::string_view begin, std::string_view end) {
    out_ += begin;
    open_.push_back({indent, end});
  }

  /// Writes it at the column of the value, unless the line is longer already.
  void put(std::size_t column, const std::string& text) {
    const std::size_t begin = out_.rfind('\n') + 1;  // npos + 1 is 0
    const std::size_t length = out_.size() - begin;
    if (length < column) out_.append(column - length, ' ');
    out_ += text;
  }

  void read(std::string_view text) {
    const Line line = line_of(text);
    if (trim(text).empty()) return;
    if (subject_.name.empty()) return begin(line);
    if (line.indent == 0) return read_section(line);
    if (section_ == "Node-Selectors") return add_label(line);
    if (section_ == "Tolerations") return put(line.indent, toleration(trim(text)));
    if (section_ == "Containers" || section_ == "Init Containers") read_container(line);
  }

  void begin(const Line& line) {
    if (line.indent > 0 || line.key != "Name" || line.value.empty()) return;
    out_ += "{apiVersion: v1, kind: Pod, metadata: {name: " + quoted(line.value);
    subject_.name = line.value;
  }

  void read_section(const Line& line) {
    leave(0);
    section_ = line.key;
    if (section_ == "Name") is_done_ = true;
    if (section_ == "Namespace" && !has_spec_) {
      out_ += ", namespace: " + quoted(line.value);
      subject_.name_space = line.value;
    }
    if (section_ == "Init Containers" || section_ == "Containers") {
      begin_spec();
      has_containers_ = has_containers_ || section_ == "Containers";
      enter(0, section_ == "Containers" ? "containers: [" : "initContainers: [", "], ");
    } else if (section_ == "Node-Selectors" && has_spec_) {
      enter(0, "nodeSelector: {", "}, ");
      add_label(line);
    } else if (section_ == "Tolerations" && has_spec_) {
      enter(0, "tolerations: [", "], ");
      if (line.value != none) put(line.column, toleration(line.value));
    }
  }

  void begin_spec() {
    if (!has_spec_) out_ += "}, spec: {";
    has_spec_ = true;
  }

  void add_label(const Line& line) {
    std::string_view value = line.value;
    const std::string_view key = take_part(value, '=');
    if (key.empty() || key == none) return;
    put(line.column, quoted(key) + ": " + quoted(value) + ", ");
  }

  void read_container(const Line& line) {
    constexpr std::size_t of_name = 2;
    constexpr std::size_t of_field = 4;
    constexpr std::size_t of_amount = 6;
    leave(line.indent);
    if (line.indent == of_name && line.value.empty()) {
      enter(of_name, fmt::format("{{name: {}, image: x, resources: {{", quoted(line.key)), "}}, ");
    } else if (line.indent == of_field && (line.key == "Limits" || line.key == "Requests")) {
      enter(of_field, line.key == "Limits" ? "limits: {" : "requests: {", "}, ");
    } else if (line.indent == of_amount && !open_.empty() && open_.back().indent == of_field) {
      put(line.indent, quoted(line.key) + ": " + quoted(line.value) + ", ");
    }
  }

  Subject subject_;
  std::string out_;
  std::vector<Open> open_;
  std::string section_;
  bool has_spec_ = false;
  bool has_containers_ = false;
  bool is_done_ = false;
};

}  // namespace

DescribedPod described_pod(std::string_view text) { return Writer().write(text); }

}  // namespace gpulint::events

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "backends/emitters.h"
#include "backends/html/assets.h"
#include "backends/html/sections.h"
#include "backends/html/source_view.h"
#include "backends/ink.h"
#include "backends/markup.h"
#include "backends/unicode.h"

namespace gpulint {
namespace {

constexpr std::size_t most_findings = 5'000;
constexpr std::size_t most_related_places = 8;
constexpr std::array severities = {Severity::error, Severity::warning, Severity::info};

[[nodiscard]] unsigned hex_value(char digit) {
  return static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

/// Base64 (RFC 4648) of bytes given as pairs of hexadecimal digits, as a policy names a hash.
[[nodiscard]] std::string base64_of_hex(std::string_view hex) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string result;
  for (std::size_t at = 0; at < hex.size(); at += 6) {  // three bytes give four digits
    const std::size_t given = std::min<std::size_t>(6, hex.size() - at);
    unsigned bits = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      bits = bits * 16 + (i < given ? hex_value(hex[at + i]) : 0);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      result.push_back(i <= given / 2 ? digits[(bits >> (18 - 6 * i)) & 0x3F] : '=');
    }
  }
  return result;
}

class PageWriter {
 public:
  PageWriter(const Run& run, std::ostream& out) : run_(run), out_(out) {
    run_.presentation = {};  // locations are text here, not terminal output
  }

  void write() {
    write_head();
    write_summary();
    out_ << "<main id=\"main\">\n";
    write_findings();
    write_placement_section(run_, out_);
    write_pods_section(run_, out_);
    write_rules_section(run_, out_);
    out_ << "</main>\n<script>" << report_js() << "</script>\n</body>\n</html>\n";
  }

 private:
  /// The policy lets nothing in from outside, and no script run but the one below.
  void write_head() {
    out_ << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         << fmt::format(
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "style-src 'unsafe-inline'; script-src 'sha256-{}'; base-uri 'none'; form-action "
                "'none'\">\n",
                base64_of_hex(report_js_sha256()))
         << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<title>gpulint report</title>\n<style>"
         << report_css() << "</style>\n</head>\n<body>\n"
         << "<a class=\"skip\" href=\"#main\">Skip to the findings</a>\n";
  }

  [[nodiscard]] std::size_t count_of(Severity severity) const {
    switch (severity) {
      case Severity::info:
        return run_.summary.infos;
      case Severity::warning:
        return run_.summary.warnings;
      case Severity::error:
        return run_.summary.errors;
    }
    return 0;
  }

  void write_summary() {
    out_ << fmt::format("<header>\n<h1>gpulint report</h1>\n<ul class=\"counts\">");
    for (const Severity severity : severities) {
      out_ << fmt::format("<li class=\"{0}-text\">{1}</li>", to_string(severity),
                          count_text(count_of(severity), to_string(severity)));
    }
    out_ << fmt::format("</ul>\n<p class=\"quiet\">{}, {}; gpulint {}</p>\n",
                        count_text(run_.summary.files, "file"),
                        count_text(run_.summary.documents, "document"),
                        escape_markup(run_.version));
    write_navigation();
    out_ << "</header>\n";
  }

  void write_navigation() {
    out_ << "<nav aria-label=\"Sections\"><ul><li><a href=\"#findings\">Findings</a></li>";
    if (!run_.placements.empty()) out_ << "<li><a href=\"#placement\">Placement</a></li>";
    if (!run_.pods.empty()) out_ << "<li><a href=\"#pods\">Compiled pods</a></li>";
    if (!run_.diagnostics.empty()) out_ << "<li><a href=\"#rules\">Rules</a></li>";
    out_ << "</ul></nav>\n";
  }

  /// Shown by the script only: without it there is nothing that filters.
  void write_filters() {
    out_ << "<form class=\"filters\" id=\"filters\" aria-label=\"Filters\" hidden>\n";
    for (const Severity severity : severities) {
      out_ << fmt::format(
          "<label><input type=\"checkbox\" name=\"severity\" value=\"{0}\" checked> {0} "
          "({1})</label>\n",
          to_string(severity), count_of(severity));
    }
    std::set<std::string_view> ids;
    for (const Diagnostic& diagnostic : run_.diagnostics) ids.insert(diagnostic.rule->id);
    out_ << "<label>Rule <select id=\"rule\"><option value=\"\">all</option>";
    for (const std::string_view id : ids) {
      out_ << fmt::format("<option value=\"{0}\">{0}</option>", escape_markup(id));
    }
    out_ << "</select></label>\n"
            "<input type=\"search\" id=\"search\" placeholder=\"Search (press /)\" "
            "aria-label=\"Search the findings\">\n"
            "<button type=\"reset\">Show all</button>\n"
            "<button type=\"button\" id=\"theme\">Theme: auto</button>\n"
            "<output id=\"shown\" aria-live=\"polite\"></output>\n</form>\n";
  }

  void write_findings() {
    out_ << "<section id=\"findings\"><h2>Findings</h2>\n";
    write_filters();
    if (run_.diagnostics.empty()) {
      out_ << fmt::format("<p>No problems found in {}.</p>\n",
                          count_text(run_.summary.files, "file"));
    }
    const std::size_t shown = std::min(run_.diagnostics.size(), most_findings);
    for (std::size_t i = 0; i < shown; ++i) {
      const Diagnostic& diagnostic = run_.diagnostics[i];
      const FileId file = diagnostic.span.file;
      const bool is_first_of_file = i == 0 || run_.diagnostics[i - 1].span.file != file;
      const bool is_last_of_file = i + 1 == shown || run_.diagnostics[i + 1].span.file != file;
      if (is_first_of_file) write_file_head(file);
      write_finding(diagnostic, i + 1);
      if (is_last_of_file) out_ << "</section>\n";
    }
    if (shown < run_.diagnostics.size()) {
      out_ << fmt::format("<p>{} not shown here.</p>\n",
                          count_text(run_.diagnostics.size() - shown, "more finding"));
    }
    out_ << "</section>\n";
  }

  void write_file_head(FileId file) {
    out_ << fmt::format("<section class=\"file\"><h3>{}</h3>\n",
                        escape_markup(printable(run_.sources.file(file).path())));
  }

  void write_finding(const Diagnostic& diagnostic, std::size_t number) {
    const std::string id = escape_markup(diagnostic.rule->id);
    const std::string_view severity = to_string(diagnostic.severity);
    out_ << fmt::format(
        "<article class=\"finding {0}\" id=\"finding-{1}\" data-severity=\"{0}\" "
        "data-rule=\"{2}\" tabindex=\"-1\">\n<h4><span class=\"badge {0}\">{0}</span> "
        "<a href=\"#rule-{2}\">{2}</a> <a class=\"place\" href=\"#finding-{1}\">{3}</a></h4>\n",
        severity, number, id, escape_markup(location_text(run_, diagnostic.span)));
    out_ << "<p>" << prose_html(diagnostic.message) << "</p>\n";
    if (!diagnostic.path.empty()) {
      out_ << "<p class=\"quiet\"><code>" << escape_markup(diagnostic.path) << "</code></p>\n";
    }
    out_ << source_html(run_.sources.file(diagnostic.span), diagnostic.span);
    write_related(diagnostic);
    if (!diagnostic.help.empty()) {
      out_ << "<p><strong>Help:</strong> " << prose_html(diagnostic.help) << "</p>\n";
    }
    if (diagnostic.fix.has_value()) write_fix(*diagnostic.fix);
    out_ << "</article>\n";
  }

  void write_related(const Diagnostic& diagnostic) {
    const std::size_t shown = std::min(diagnostic.related.size(), most_related_places);
    for (std::size_t i = 0; i < shown; ++i) {
      const Label& label = diagnostic.related[i];
      out_ << fmt::format("<p>{}, at <span class=\"place\">{}</span></p>\n",
                          prose_html(label.message), escape_markup(location_text(run_, label.span)))
           << source_html(run_.sources.file(label.span), label.span);
    }
    if (shown < diagnostic.related.size()) {
      out_ << fmt::format("<p>{} not shown.</p>\n",
                          count_text(diagnostic.related.size() - shown, "more place"));
    }
  }

  void write_fix(const Fix& fix) {
    out_ << fmt::format("<details><summary>Fix ({}): {}</summary>\n{}</details>\n",
                        to_string(fix.safety), prose_html(fix.title), fix_html(run_, fix));
  }

  Run run_;
  std::ostream& out_;
};

}  // namespace

void emit_html(const Run& run, std::ostream& out) { PageWriter(run, out).write(); }

}  // namespace gpulint

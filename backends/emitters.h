#pragma once

#include <ostream>

#include "backends/backend.h"

namespace gpulint {

// One function per output format; formats.cpp lists them.
void emit_text(const Run& run, std::ostream& out);
void emit_concise(const Run& run, std::ostream& out);
void emit_json(const Run& run, std::ostream& out);
void emit_sarif(const Run& run, std::ostream& out);
void emit_github(const Run& run, std::ostream& out);
void emit_gitlab(const Run& run, std::ostream& out);
void emit_junit(const Run& run, std::ostream& out);
void emit_checkstyle(const Run& run, std::ostream& out);
void emit_rdjson(const Run& run, std::ostream& out);
void emit_azure(const Run& run, std::ostream& out);
void emit_jsonl(const Run& run, std::ostream& out);
void emit_sonar(const Run& run, std::ostream& out);
void emit_openreports(const Run& run, std::ostream& out);
void emit_policyreport(const Run& run, std::ostream& out);
void emit_html(const Run& run, std::ostream& out);

}  // namespace gpulint

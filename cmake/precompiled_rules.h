#pragma once

#include "cmake/precompiled.h"
#include "compiler/engine/corpus.h"
#include "compiler/engine/reporter.h"
#include "compiler/engine/rule.h"
#include "compiler/flyte/analysis.h"
#include "compiler/model/facts/gpu_resource.h"

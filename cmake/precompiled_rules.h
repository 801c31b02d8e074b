#pragma once

#include "cmake/precompiled.h"

#include "compiler/engine/reporter.h"
#include "compiler/engine/rule.h"
#include "compiler/flyte/analysis.h"
#include "compiler/model/corpus.h"
#include "compiler/model/gpu_resource.h"

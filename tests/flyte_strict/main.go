// Records which keys of a configuration Flyte's strict mode refuses.
//
// usage: flyte_strict FILE <cases.jsonl; a case has `config`, the text of a configuration file.
// FILE gets each case with `oracle`, what Flyte's loader says.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	plugins "github.com/flyteorg/flyte/flyteplugins/go/tasks/config"
	_ "github.com/flyteorg/flyte/flyteplugins/go/tasks/logs"
	_ "github.com/flyteorg/flyte/flyteplugins/go/tasks/pluginmachinery/flytek8s/config"
	"github.com/flyteorg/flyte/flytestdlib/config"
	"github.com/flyteorg/flyte/flytestdlib/config/viper"
)

// anything stands for a section whose keys are not asked for.
type anything struct {
	Rest map[string]interface{} `json:",remain"`
}

func main() {
	for _, name := range []string{"propeller", "catalog-cache", "admin", "event", "tasks", "webhook", "otel", "secrets",
		"resourcemanager", "task_resources", "flyteadmin", "database"} {
		config.MustRegisterSection(name, &anything{})
	}
	for _, name := range []string{"ray", "spark", "dask", "k8s-array", "kf-operator", "athena", "snowflake"} {
		plugins.MustRegisterSubSection(name, &anything{})
	}
	cases := bufio.NewScanner(os.Stdin)
	cases.Buffer(nil, 1<<24)
	folder, err := os.MkdirTemp("", "strict")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	out, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	for number := 0; cases.Scan(); number++ {
		var one map[string]any
		if err := json.Unmarshal(cases.Bytes(), &one); err != nil {
			panic(err)
		}
		file := filepath.Join(folder, fmt.Sprintf("%d.yaml", number)) // each is watched
		if err := os.WriteFile(file, []byte(one["config"].(string)), 0600); err != nil {
			panic(err)
		}
		accessor := viper.NewAccessor(config.Options{StrictMode: true, SearchPaths: []string{file}})
		one["oracle"] = fmt.Sprint(accessor.UpdateConfig(context.Background()))
		line, _ := json.Marshal(one)
		out.Write(append(line, '\n'))
	}
}

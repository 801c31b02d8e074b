package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/ignore"
	"sigs.k8s.io/yaml"
)

const (
	defaultKubeVersion = "1.34.0"
	maxFiles           = 20000
	maxNestedLinks     = 4
)

// renderChart does what `helm template` does, without a cluster, and leaves missing dependencies out.
func renderChart(r *request) ([]output, []string, error) {
	files, err := readChart(r.Chart, r.Files)
	if err != nil {
		return nil, nil, err
	}
	c, err := loader.LoadFiles(files)
	if err != nil {
		return nil, nil, err
	}
	if c.Metadata.Type == "library" {
		return nil, nil, errors.New("a library chart renders nothing by itself")
	}
	values := map[string]any{}
	for _, each := range r.Values {
		var parsed map[string]any
		if err := yaml.Unmarshal([]byte(each.Text), &parsed); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", each.Name, err)
		}
		values = mergeMaps(values, parsed)
	}
	if err := chartutil.ProcessDependenciesWithMerge(c, values); err != nil {
		return nil, nil, err
	}
	missing := missingDependencies(c, "")
	capabilities := chartutil.DefaultCapabilities.Copy()
	kubeVersion, err := chartutil.ParseKubeVersion(orDefault(r.KubeVersion, defaultKubeVersion))
	if err != nil {
		return nil, nil, fmt.Errorf("kubeVersion: %w", err)
	}
	capabilities.KubeVersion = *kubeVersion
	if wanted := c.Metadata.KubeVersion; wanted != "" && !chartutil.IsCompatibleRange(wanted, kubeVersion.String()) {
		return nil, missing, fmt.Errorf("the chart requires Kubernetes %s, which %s is not", wanted, kubeVersion)
	}
	options := chartutil.ReleaseOptions{Name: orDefault(r.Release, "release-name"),
		Namespace: orDefault(r.Namespace, "default"), Revision: 1, IsInstall: true}
	top, err := chartutil.ToRenderValuesWithSchemaValidation(c, values, options, capabilities, true)
	if err == nil && r.CheckSchema {
		err = validate(c, top["Values"].(chartutil.Values), c.Name())
	}
	if err != nil {
		return nil, missing, err
	}
	texts, err := engine.Engine{}.Render(c, top)
	if err != nil {
		return nil, missing, err
	}
	var outputs []output
	for name, text := range texts {
		if path.Base(name) != "NOTES.txt" && strings.TrimSpace(text) != "" {
			outputs = append(outputs, output{name, text})
		}
	}
	return outputs, missing, nil
}

func orDefault(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// mergeMaps merges values files as Helm does: maps by key, everything else by replacement.
func mergeMaps(below, above map[string]any) map[string]any {
	merged := make(map[string]any, len(below))
	for key, value := range below {
		merged[key] = value
	}
	for key, value := range above {
		lower, lowerIsMap := merged[key].(map[string]any)
		if upper, isMap := value.(map[string]any); isMap && lowerIsMap {
			merged[key] = mergeMaps(lower, upper)
		} else {
			merged[key] = value
		}
	}
	return merged
}

// missingDependencies names the enabled dependencies without a chart, those of subcharts after their path.
func missingDependencies(c *chart.Chart, prefix string) []string {
	present := map[string]bool{}
	var missing []string
	for _, each := range c.Dependencies() {
		present[each.Name()] = true
		missing = append(missing, missingDependencies(each, prefix+each.Name()+"/")...)
	}
	for _, each := range c.Metadata.Dependencies {
		if !present[each.Name] {
			missing = append(missing, prefix+each.Name)
		}
	}
	return missing
}

// reader collects the files of a chart as Helm's loader does; os.Root opens nothing outside of the chart.
type reader struct {
	root  *os.Root
	rules *ignore.Rules
	texts map[string]string
	files []*loader.BufferedFile
	size  int64
}

func readChart(folder string, texts map[string]string) ([]*loader.BufferedFile, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	r := &reader{root: root, rules: ignore.Empty(), texts: texts}
	text, isGiven := texts[ignore.HelmIgnore]
	if info, err := root.Stat(ignore.HelmIgnore); !isGiven && err == nil && info.Mode().IsRegular() && info.Size() <= loader.MaxDecompressedFileSize {
		data, err := root.ReadFile(ignore.HelmIgnore)
		if err != nil {
			return nil, err
		}
		text = string(data)
	}
	if r.rules, err = ignore.Parse(strings.NewReader(text)); err != nil {
		return nil, err
	}
	r.rules.AddDefaults()
	if err := r.walk(".", 0); err != nil {
		return nil, err
	}
	for name, text := range texts {
		if _, err := root.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			r.files = append(r.files, &loader.BufferedFile{Name: name, Data: []byte(text)})
		}
	}
	return r.files, nil
}

func (r *reader) walk(folder string, links int) error {
	entries, err := fs.ReadDir(r.root.FS(), folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name := path.Join(folder, entry.Name())
		info, err := r.root.Lstat(name)
		if err != nil {
			return err
		}
		if r.rules.Ignore(name, info) {
			continue
		}
		nested := links
		if info.Mode()&fs.ModeSymlink != 0 {
			if info, err = r.root.Stat(name); err != nil {
				return fmt.Errorf("`%s` is a link that leaves the chart or leads nowhere", name)
			}
			if nested++; nested > maxNestedLinks {
				return fmt.Errorf("`%s` is a link inside of too many other links", name)
			}
			if r.rules.Ignore(name, info) {
				continue
			}
		}
		if info.IsDir() {
			err = r.walk(name, nested)
		} else {
			err = r.add(name, info)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) add(name string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return fmt.Errorf("`%s` is not a regular file", name)
	}
	r.size += info.Size()
	if info.Size() > loader.MaxDecompressedFileSize || r.size > loader.MaxDecompressedChartSize || len(r.files) >= maxFiles {
		return fmt.Errorf("`%s` is too large, or the chart is", name)
	}
	text, isGiven := r.texts[name]
	data := []byte(text)
	if !isGiven {
		var err error
		if data, err = r.root.ReadFile(name); err != nil {
			return err
		}
	}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	r.files = append(r.files, &loader.BufferedFile{Name: name, Data: data})
	return nil
}

// noReference is what a `$ref` to another file or address meets.
type noReference struct{}

func (noReference) Load(address string) (any, error) {
	return nil, fmt.Errorf("values.schema.json refers to %s, and gpulint reads no other schema", address)
}

// validate checks the values of a chart and of its subcharts, as Helm does, but reads no other schema.
func validate(c *chart.Chart, values map[string]any, name string) error {
	if c.Schema != nil {
		schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(c.Schema))
		if err != nil {
			return fmt.Errorf("%s: values.schema.json: %w", name, err)
		}
		compiler := jsonschema.NewCompiler()
		compiler.UseLoader(noReference{})
		if err := compiler.AddResource("file:///values.schema.json", schema); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		compiled, err := compiler.Compile("file:///values.schema.json")
		if err == nil {
			err = compiled.Validate(values)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, each := range c.Dependencies() {
		inner, isMap := values[each.Name()].(map[string]any)
		if given := values[each.Name()]; given != nil && !isMap {
			return fmt.Errorf("%s: the values of a chart must be a map", each.Name())
		}
		if isMap {
			if err := validate(each, inner, name+"/"+each.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}

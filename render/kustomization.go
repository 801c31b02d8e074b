package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// renderKustomization does what `kustomize build --load-restrictor LoadRestrictionsNone` does with the files below `root`.
func renderKustomization(r *request) ([]output, error) {
	t, err := openTree(r.Root, r.Files)
	if err != nil {
		return nil, err
	}
	defer t.disk.Close()
	folder, _, err := t.CleanedAbs(r.Kustomization)
	if err != nil {
		return nil, err
	}
	if err := t.refuse(string(folder), map[string]bool{}); err != nil {
		return nil, err
	}
	options := krusty.MakeDefaultOptions()
	options.LoadRestrictions = types.LoadRestrictionsNone
	built, err := krusty.MakeKustomizer(options).Run(t, string(folder))
	if err != nil {
		if strings.Contains(err.Error(), "no 'git' program") {
			err = fmt.Errorf("a resource is remote, and gpulint downloads nothing: %w", err)
		}
		return nil, err
	}
	text, err := built.AsYaml()
	return []output{{"", string(text)}}, err
}

// tree is the file system that kustomize sees: the files below `root`, those of `texts` replaced. What kustomize writes
// stays in memory.
type tree struct {
	filesys.FileSystem
	disk  *os.Root
	root  string // without links
	texts map[string]string
}

func openTree(root string, texts map[string]string) (*tree, error) {
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, err
	}
	if !filepath.IsAbs(real) {
		return nil, fmt.Errorf("`root` is not absolute: %s", root)
	}
	disk, err := os.OpenRoot(real)
	if err != nil {
		return nil, err
	}
	t := &tree{filesys.MakeFsInMemory(), disk, real, map[string]string{}}
	for name, text := range texts {
		t.texts[filepath.Clean(name)] = text
		if folder, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
			t.texts[filepath.Join(folder, filepath.Base(name))] = text
		}
		if file, err := filepath.EvalSymlinks(name); err == nil {
			t.texts[file] = text
		}
	}
	return t, nil
}

// relative is the path below the root; os.Root refuses links that leave it.
func (t *tree) relative(name string) (string, error) {
	below, err := filepath.Rel(t.root, name)
	if err != nil || !filepath.IsLocal(below) {
		return "", fmt.Errorf("`%s` is outside of `%s`: %w", name, t.root, fs.ErrPermission)
	}
	return below, nil
}

func (t *tree) stat(name string) fs.FileInfo {
	below, err := t.relative(name)
	if err != nil {
		return nil
	}
	info, err := t.disk.Stat(below)
	if err != nil {
		return nil
	}
	return info
}

func (t *tree) IsDir(name string) bool {
	info := t.stat(name)
	return info != nil && info.IsDir()
}

func (t *tree) Exists(name string) bool {
	_, isGiven := t.texts[name]
	return isGiven || t.stat(name) != nil
}

func (t *tree) ReadFile(name string) ([]byte, error) {
	if text, isGiven := t.texts[filepath.Clean(name)]; isGiven {
		return []byte(text), nil
	}
	below, err := t.relative(name)
	if err != nil {
		return nil, err
	}
	if info := t.stat(name); info != nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("`%s` is not a regular file", name)
	} else if info != nil && info.Size() > outputLimit {
		return nil, fmt.Errorf("`%s` is too large", name)
	}
	return t.disk.ReadFile(below)
}

func (t *tree) CleanedAbs(name string) (filesys.ConfirmedDir, string, error) {
	name = filepath.Clean(name)
	if _, isGiven := t.texts[name]; isGiven {
		return filesys.ConfirmedDir(filepath.Dir(name)), filepath.Base(name), nil
	}
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", "", err
	}
	if _, err := t.relative(real); err != nil {
		return "", "", err
	}
	if t.IsDir(real) {
		return filesys.ConfirmedDir(real), "", nil
	}
	return filesys.ConfirmedDir(filepath.Dir(real)), filepath.Base(real), nil
}

func (t *tree) ReadDir(name string) ([]string, error) {
	below, err := t.relative(name)
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(t.disk.FS(), filepath.ToSlash(below))
	names := make([]string, len(entries))
	for i, each := range entries {
		names[i] = each.Name()
	}
	return names, err
}

var errUnused = errors.New("a build does not do this")

func (t *tree) Open(string) (filesys.File, error)    { return nil, errUnused }
func (t *tree) Glob(string) ([]string, error)        { return nil, errUnused }
func (t *tree) Walk(string, filepath.WalkFunc) error { return errUnused }

// remote is what kustomize takes for an address or a repository.
var remote = regexp.MustCompile(`^(?:[a-z+]+://|git::|gh:|[\w.-]+@[\w.-]+:|(?:www\.)?git(?:hub|lab)\.com[/:])|\.git(?:$|[/?])|[?&](?:ref|version)=`)

// Fields of a kustomization that name files, folders or addresses.
var (
	listed  = []string{"resources", "bases", "components", "generators", "transformers", "validators", "configurations", "crds", "patchesStrategicMerge"}
	pathsOf = []string{"patches", "patchesJson6902", "replacements"}
	helm    = []string{"helmCharts", "helmChartInflationGenerator"}
)

// refuse walks the kustomizations before kustomize does, and refuses what would need a network or another program.
// Whatever it does not see fails later: there is no network and no program.
func (t *tree) refuse(folder string, seen map[string]bool) error {
	if seen[folder] {
		return nil
	}
	seen[folder] = true
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		file := filepath.Join(folder, name)
		data, err := t.ReadFile(file)
		if err != nil {
			continue
		}
		var fields map[string]any
		if yaml.Unmarshal(data, &fields) != nil {
			return nil // kustomize says what is wrong
		}
		shown, _ := t.relative(file)
		for _, field := range helm {
			if fields[field] != nil {
				return fmt.Errorf("`%s` uses `%s`, and gpulint runs no other program", shown, field)
			}
		}
		for _, entry := range entries(fields) {
			if strings.Contains(entry, "\n") {
				continue
			}
			if remote.MatchString(entry) {
				return fmt.Errorf("`%s`: `%s` is remote, and gpulint downloads nothing", shown, entry)
			}
			if below, file, err := t.CleanedAbs(filepath.Join(folder, entry)); err == nil && file == "" {
				if err := t.refuse(string(below), seen); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func entries(fields map[string]any) []string {
	var found []string
	add := func(value any) {
		if text, isText := value.(string); isText {
			found = append(found, text)
		}
	}
	for _, field := range listed {
		list, _ := fields[field].([]any)
		for _, each := range list {
			add(each)
		}
	}
	for _, field := range pathsOf {
		list, _ := fields[field].([]any)
		for _, each := range list {
			if item, isMap := each.(map[string]any); isMap {
				add(item["path"])
			}
		}
	}
	if schema, isMap := fields["openapi"].(map[string]any); isMap {
		add(schema["path"])
	}
	return found
}

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The test program serves requests when it is started by itself.
func TestMain(m *testing.M) {
	if os.Getenv("GPULINT_RENDER_SERVES") != "" {
		main()
		os.Exit(0)
	}
	if os.Getenv("GPULINT_RENDER_REACHES") != "" {
		reach()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

type reply struct {
	ID        json.RawMessage
	Error     string
	Missing   []string
	Templates []struct {
		Name, Text string
		Same       bool
	}
	Version, Helm, Kustomize string
}

func (r reply) names() string {
	var names []string
	for _, each := range r.Templates {
		names = append(names, each.Name)
	}
	return strings.Join(names, " ")
}

func (r reply) text(t *testing.T, name string) string {
	t.Helper()
	for _, each := range r.Templates {
		if each.Name == name {
			return each.Text
		}
	}
	t.Fatalf("%s is not among %q; error: %s", name, r.names(), r.Error)
	return ""
}

// ask starts the program, sends requests, and returns its answers and its exit status.
func ask(t *testing.T, requests ...map[string]any) ([]reply, int) {
	t.Helper()
	var in bytes.Buffer
	for i, each := range requests {
		each["id"] = i + 1
		if err := json.NewEncoder(&in).Encode(each); err != nil {
			t.Fatal(err)
		}
	}
	return serveText(t, in.String())
}

func serveText(t *testing.T, in string) ([]reply, int) {
	t.Helper()
	command := exec.Command(os.Args[0], "-cpu-seconds", "2")
	command.Env = append(os.Environ(), "GPULINT_RENDER_SERVES=1", "GPULINT_SECRET=s3cret")
	command.Stdin = strings.NewReader(in)
	out, err := command.Output()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	var replies []reply
	for decoder := json.NewDecoder(bytes.NewReader(out)); decoder.More(); {
		var r reply
		if err := decoder.Decode(&r); err != nil {
			t.Fatalf("%v in %.300s", err, out)
		}
		replies = append(replies, r)
	}
	return replies, command.ProcessState.ExitCode()
}

func askOne(t *testing.T, request map[string]any) reply {
	t.Helper()
	replies, status := ask(t, request)
	if len(replies) != 1 || status != 0 {
		t.Fatalf("%d answers, status %d: %v", len(replies), status, replies)
	}
	return replies[0]
}

func wantError(t *testing.T, r reply, words ...string) {
	t.Helper()
	for _, each := range words {
		if !strings.Contains(r.Error, each) {
			t.Errorf("%q is not in the error %q", each, r.Error)
		}
	}
	if strings.Contains(r.Error, "\n") || len(r.Templates) > 0 {
		t.Errorf("an error is one line without templates: %+v", r)
	}
}

func wantText(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, each := range words {
		if !strings.Contains(text, each) {
			t.Errorf("%q is not in\n%s", each, text)
		}
	}
}

// write makes a folder of files.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

const metadata = "apiVersion: v2\nname: c\nversion: 1.0.0\n"

// chartOf is a chart with one template, and further files.
func chartOf(t *testing.T, template string, files ...string) string {
	t.Helper()
	all := map[string]string{"Chart.yaml": metadata, "templates/a.yaml": template}
	for i := 0; i+1 < len(files); i += 2 {
		all[files[i]] = files[i+1]
	}
	return write(t, all)
}

func testdata(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func layers(texts ...string) []map[string]string {
	var made []map[string]string
	for i, each := range texts {
		made = append(made, map[string]string{"name": fmt.Sprintf("layer-%d.yaml", i), "text": each})
	}
	return made
}

func TestHelloNamesVersions(t *testing.T) {
	r := askOne(t, map[string]any{"hello": true})
	module, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, r.Version, "gpulint-render ")
	wantText(t, string(module), "kustomize/api v0.21.") // kustomize 5.8
	if r.Kustomize != "5.8" {
		t.Error(r.Kustomize)
	}
}

func TestChart(t *testing.T) {
	r := askOne(t, map[string]any{"chart": testdata(t, "chart")})
	if r.names() != "parent/charts/sub/templates/a.yaml parent/templates/pod.yaml parent/templates/test.yaml" {
		t.Error(r.names(), r.Error)
	}
	if fmt.Sprint(r.Missing) != "[absent]" {
		t.Error(r.Missing)
	}
	if text := r.text(t, "parent/charts/sub/templates/a.yaml"); text != "gpus: 2\npool: gpu-pool\n" {
		t.Error(text)
	}
	wantText(t, r.text(t, "parent/templates/pod.yaml"), "name: release-name\n", "namespace: default\n", "note: release-name-note\n",
		"kube: v1.34.0\n", `secret: "none"`, `file: "from a file"`, "image: registry.example/train:v1\n", "        nvidia.com/gpu: 1\n")
}

func TestValuesLayersReleaseAndVersion(t *testing.T) {
	r := askOne(t, map[string]any{"chart": testdata(t, "chart"), "release": "mine", "namespace": "ml", "kubeVersion": "1.31.2",
		"values": layers("gpus: 4\nimage: {tag: v2}\nglobal: {pool: a}", "gpus: 8\nsub: {gpus: null}\nglobal: {pool: b}\ntags: {extra: true}\nsecond: {enabled: true}")})
	wantText(t, r.text(t, "parent/templates/pod.yaml"), "name: mine\n", "namespace: ml\n", "kube: v1.31.2\n", "train:v2\n", "nvidia.com/gpu: 8\n")
	wantText(t, r.text(t, "parent/charts/second/templates/a.yaml"), "gpus: 4\npool: b\n")
	wantText(t, r.text(t, "parent/charts/sub/templates/a.yaml"), "pool: b\n")
	wantText(t, r.text(t, "parent/charts/tagged/templates/a.yaml"), "kind: Tagged")
	r = askOne(t, map[string]any{"chart": testdata(t, "chart"), "values": layers("sub: {enabled: false}\ndisabled: {enabled: true}")})
	if strings.Contains(r.names(), "charts/sub") || fmt.Sprint(r.Missing) != "[absent disabled]" {
		t.Error(r.names(), r.Missing)
	}
	wantError(t, askOne(t, map[string]any{"chart": testdata(t, "chart"), "kubeVersion": "1.20.0"}), "requires Kubernetes >= 1.23.0-0, which v1.20.0 is not")
	wantError(t, askOne(t, map[string]any{"chart": testdata(t, "chart"), "values": layers("a: [")}), "layer-0.yaml: ")
}

func TestFilesAreReplacedInMemory(t *testing.T) {
	r := askOne(t, map[string]any{"chart": testdata(t, "chart"), "files": map[string]string{
		"values.yaml": "gpus: 6\nsub: {enabled: true}\nimage: {}\nnote: text", "charts/sub/templates/a.yaml": "gpus: {{ .Values.gpus }} # marked\n",
		"templates/new.yaml": "kind: New\n", "files/text.txt": "replaced"}})
	wantText(t, r.text(t, "parent/templates/pod.yaml"), "nvidia.com/gpu: 6\n", `file: "replaced"`)
	wantText(t, r.text(t, "parent/charts/sub/templates/a.yaml"), "gpus: 1 # marked")
	wantText(t, r.text(t, "parent/templates/new.yaml"), "kind: New")
	if _, err := os.Stat("testdata/chart/templates/new.yaml"); err == nil {
		t.Error("a file was written")
	}
}

func TestKnownTextsAreNotRepeated(t *testing.T) {
	first := askOne(t, map[string]any{"chart": testdata(t, "chart")})
	known := map[string]string{}
	for _, each := range first.Templates {
		known[each.Name] = fmt.Sprintf("%x", sha256.Sum256([]byte(each.Text)))
	}
	r := askOne(t, map[string]any{"chart": testdata(t, "chart"), "known": known, "values": layers("gpus: 3")})
	for _, each := range r.Templates {
		if changed := each.Name == "parent/templates/pod.yaml"; each.Same == changed || (each.Text == "") == changed {
			t.Errorf("%+v", each)
		}
	}
}

func TestArchivedSubchart(t *testing.T) {
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	archive := tar.NewWriter(zipped)
	for name, text := range map[string]string{"sub/Chart.yaml": strings.Replace(metadata, "name: c", "name: sub", 1), "sub/templates/a.yaml": "gpus: {{ .Values.gpus }}\n"} {
		archive.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))})
		archive.Write([]byte(text))
	}
	archive.Close()
	zipped.Close()
	r := askOne(t, map[string]any{"chart": chartOf(t, "", "charts/sub-1.0.0.tgz", packed.String()), "values": layers("sub: {gpus: 5}")})
	wantText(t, r.text(t, "c/charts/sub/templates/a.yaml"), "gpus: 5\n")
}

func TestChartErrorsAreOneLine(t *testing.T) {
	for template, words := range map[string]string{
		`{{ required "set gpus" .Values.gpus }}`: "c/templates/a.yaml:1:3): set gpus",
		"{{ fail \"two\\nlines\" }}":             "two lines",
		`{{ include "gone" . }}`:                 `no template "gone"`,
		"{{ if }}":                               "missing value for if",
	} {
		wantError(t, askOne(t, map[string]any{"chart": chartOf(t, template)}), words)
	}
	wantError(t, askOne(t, map[string]any{"chart": write(t, map[string]string{"a": ""})}), "Chart.yaml file is missing")
	wantError(t, askOne(t, map[string]any{"chart": "/gone"}), "/gone")
	wantError(t, askOne(t, map[string]any{"chart": chartOf(t, "", "Chart.yaml", metadata+"type: library\n")}), "library chart")
	wantError(t, askOne(t, map[string]any{}), "neither")
}

func TestRequestsAfterErrorsAreAnswered(t *testing.T) {
	good := fmt.Sprintf(`{"id":7,"chart":%q}`, chartOf(t, "kind: Pod"))
	replies, status := serveText(t, "no JSON\n\n"+`{"id":"x"}`+"\n"+good)
	if len(replies) != 3 || status != 0 || string(replies[0].ID) != "0" || string(replies[1].ID) != `"x"` || string(replies[2].ID) != "7" {
		t.Fatal(replies, status)
	}
	wantText(t, replies[2].text(t, "c/templates/a.yaml"), "kind: Pod")
}

func TestHelmignoreAndLinksInsideOfTheChart(t *testing.T) {
	folder := chartOf(t, `{{ .Files.Get "link" }}{{ .Files.Get "ignored" }}`, "real", "linked", "ignored", "no", ".helmignore", "ignored\nout\n")
	os.Symlink("real", filepath.Join(folder, "link"))
	os.Symlink("/etc", filepath.Join(folder, "out"))
	r := askOne(t, map[string]any{"chart": folder})
	if text := r.text(t, "c/templates/a.yaml"); text != "linked" {
		t.Error(text)
	}
	os.Symlink(".", filepath.Join(folder, "loop"))
	wantError(t, askOne(t, map[string]any{"chart": folder}), "too many other links")
}

func kustomize(t *testing.T, folder, root string, more ...string) reply {
	t.Helper()
	files := map[string]string{}
	for i := 0; i+1 < len(more); i += 2 {
		files[more[i]] = more[i+1]
	}
	return askOne(t, map[string]any{"kustomization": folder, "root": root, "files": files})
}

func TestKustomization(t *testing.T) {
	root := testdata(t, "kustomize")
	r := kustomize(t, root+"/overlay", root)
	text := r.text(t, "")
	wantText(t, text, "name: prod-serve\n", "image: registry.example/serve:v2\n", "nvidia.com/gpu: 4\n", "pool: gpu-pool\n      tolerations:\n",
		"operator: Exists\n", "  A: \"1\"\n", "HOME: \"\"\n", "\n---\n")
	r = kustomize(t, root+"/overlay", root, root+"/base/settings.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {pool: marked}\n")
	wantText(t, r.text(t, ""), "        pool: marked\n")
	known := map[string]string{"": fmt.Sprintf("%x", sha256.Sum256([]byte(text)))}
	if r := askOne(t, map[string]any{"kustomization": root + "/overlay", "root": root, "known": known}); len(r.Templates) != 1 || !r.Templates[0].Same {
		t.Error(r)
	}
}

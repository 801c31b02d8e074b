// What a chart or kustomization could do to the machine that renders it, each with its limit.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"
)

func TestLinksThatLeaveTheChartAreRefused(t *testing.T) {
	outside := write(t, map[string]string{"secret": "s3cret"})
	for _, link := range []string{"files/x", "templates/x.yaml", "charts/sub", "values.yaml"} {
		for _, target := range []string{outside + "/secret", outside, "/gone", "../../../../../../etc/passwd"} {
			folder := chartOf(t, `{{ .Files.Get "files/x" }}`)
			os.MkdirAll(filepath.Dir(filepath.Join(folder, link)), 0o755)
			os.Symlink(target, filepath.Join(folder, link))
			wantError(t, askOne(t, map[string]any{"chart": folder}), "`"+link+"` is a link that leaves the chart")
		}
	}
}

func TestTemplatesReadNothingElse(t *testing.T) {
	r := askOne(t, map[string]any{"chart": chartOf(t,
		`[{{ .Files.Get "../x" }}{{ .Files.Get "/etc/passwd" }}{{ range $p, $_ := .Files.Glob "../**" }}{{ $p }}{{ end }}{{ getHostByName "localhost" }}]`)})
	if text := r.text(t, "c/templates/a.yaml"); text != "[]" {
		t.Error(text)
	}
	for _, function := range []string{"env", "expandenv"} {
		wantError(t, askOne(t, map[string]any{"chart": chartOf(t, `{{ `+function+` "GPULINT_SECRET" }}`)}), `function "`+function+`" not defined`)
	}
}

func TestSchemaIsCheckedWithoutReferences(t *testing.T) {
	asked := 0
	remote := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { asked++; w.Write([]byte("true")) }))
	defer remote.Close()
	outside := write(t, map[string]string{"schema.json": "true"})
	own := `{"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"gpus": {"$ref": "#/definitions/count"}}, "definitions": {"count": {"type": "integer"}}}`
	folder := chartOf(t, "gpus: {{ .Values.gpus }}", "values.schema.json", own)
	for _, check := range []bool{true, false} {
		r := askOne(t, map[string]any{"chart": folder, "checkSchema": check, "values": layers("gpus: 2")})
		wantText(t, r.text(t, "c/templates/a.yaml"), "gpus: 2")
		r = askOne(t, map[string]any{"chart": folder, "checkSchema": check, "values": layers("gpus: many")})
		if check {
			wantError(t, r, "'/gpus': got string, want integer")
		} else {
			wantText(t, r.text(t, "c/templates/a.yaml"), "gpus: many")
		}
	}
	sub := chartOf(t, "", "charts/sub/Chart.yaml", strings.Replace(metadata, "name: c", "name: sub", 1), "charts/sub/values.schema.json", own)
	wantError(t, askOne(t, map[string]any{"chart": sub, "checkSchema": true, "values": layers("sub: {gpus: many}")}), "c/sub: ", "want integer")
	for schema, address := range map[string]string{
		`{"$ref": "` + remote.URL + `/a.json"}`:                   remote.URL + "/a.json",
		`{"$id": "` + remote.URL + `/b.json", "$ref": "c.json"}`:  remote.URL + "/c.json",
		`{"$ref": "file://` + outside + `/schema.json"}`:          "file://" + outside + "/schema.json",
		`{"$ref": "schema.json"}`:                                 "file:///schema.json",
		`{"$schema": "` + remote.URL + `/meta.json", "type": {}}`: remote.URL + "/meta.json",
		`{"$ref": "urn:example:count"}`:                           "urn:example:count",
	} {
		folder := chartOf(t, "", "values.schema.json", schema)
		wantError(t, askOne(t, map[string]any{"chart": folder, "checkSchema": true}), "refers to "+address+", and gpulint reads no other schema")
		if r := askOne(t, map[string]any{"chart": folder}); r.Error != "" {
			t.Error(r.Error)
		}
	}
	if asked != 0 {
		t.Error("the schema was fetched")
	}
}

func TestLimitsEndTheProcess(t *testing.T) {
	for template, words := range map[string]string{
		`{{ repeat 300000000 "a" }}`: "the rendered text has 286 MiB",
		`{{ range until 10000 }}{{ range until 10000 }}{{ sha256sum "a" | trunc 0 }}{{ end }}{{ end }}`: "it needs more than 2 s of processor time",
	} {
		replies, status := ask(t, map[string]any{"chart": chartOf(t, template)}, map[string]any{"hello": true})
		if len(replies) != 1 || status != limitStatus {
			t.Errorf("%s: %d answers, status %d", template, len(replies), status)
			continue
		}
		wantError(t, replies[0], words)
	}
}

func TestMemoryEndsTheProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux limits it")
	}
	for _, template := range []string{
		`{{ $s := repeat 50 "a" }}{{ range until 24 }}{{ $s = cat $s $s }}{{ end }}{{ len $s }}`,
		`{{ range until 100000000 }}{{ end }}`,
		`{{ repeat 3000000000 "a" }}`, // in one step: the kernel refuses what the watch would see too late
	} {
		replies, status := ask(t, map[string]any{"chart": chartOf(t, template)}, map[string]any{"hello": true})
		if len(replies) > 1 || status == 0 || (len(replies) == 1) != (status == limitStatus) {
			t.Errorf("%s: %d answers, status %d", template, len(replies), status)
		}
		for _, each := range replies {
			wantError(t, each, "it needs more than ")
		}
	}
}

func TestEndlessRecursionIsAnError(t *testing.T) {
	wantError(t, askOne(t, map[string]any{"chart": chartOf(t, `{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}`)}), "maximum template depth")
	wantError(t, askOne(t, map[string]any{"chart": chartOf(t, `{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}`)}), "error calling include")
}

// program puts a program on PATH that leaves a file when it runs.
func program(t *testing.T, name string) (ran func() bool) {
	folder, trace := t.TempDir(), filepath.Join(t.TempDir(), "ran")
	if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\ntouch "+trace+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
	return func() bool { _, err := os.Stat(trace); return err == nil }
}

func TestValuesNameIsNoAddress(t *testing.T) {
	ran := program(t, "getter")
	t.Setenv("HELM_PLUGINS", write(t, map[string]string{"evil/plugin.yaml": "name: evil\nversion: 1\ndownloaders: [{command: getter, protocols: [evil]}]\n"}))
	r := askOne(t, map[string]any{"chart": chartOf(t, "a: {{ .Values.a }}"), "values": []map[string]string{{"name": "evil://x", "text": "a: 1"}}})
	wantText(t, r.text(t, "c/templates/a.yaml"), "a: 1")
	if ran() {
		t.Error("the plugin was run")
	}
}

func TestMissingDependencyIsLeftOut(t *testing.T) {
	r := askOne(t, map[string]any{"chart": chartOf(t, "kind: Pod", "Chart.yaml",
		metadata+"dependencies: [{name: d, version: 1.x, repository: https://charts.invalid, alias: e}, {name: f, version: 1.x, repository: file://../f}]\n")})
	wantText(t, r.text(t, "c/templates/a.yaml"), "kind: Pod")
	if fmt.Sprint(r.Missing) != "[e f]" {
		t.Error(r.Missing)
	}
}

const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n"

func TestKustomizationReadsNothingOutsideOfTheRoot(t *testing.T) {
	outside := write(t, map[string]string{"pod.yaml": pod, "k/kustomization.yaml": "resources: [p.yaml]", "k/p.yaml": pod, "s.txt": "s3cret"})
	root := write(t, map[string]string{"a/kustomization.yaml": "resources: [../b/pod.yaml]", "b/pod.yaml": pod})
	wantText(t, kustomize(t, root+"/a", root).text(t, ""), "kind: Pod")
	os.Symlink("../b/pod.yaml", root+"/a/inside.yaml")
	os.Symlink(outside+"/pod.yaml", root+"/a/link.yaml")
	os.Symlink(outside+"/k", root+"/a/folder")
	up := strings.Repeat("../", strings.Count(root, "/")+1)
	wantText(t, kustomize(t, root+"/a", root, root+"/a/kustomization.yaml", "resources: [inside.yaml]").text(t, ""), "kind: Pod")
	for _, resource := range []string{"link.yaml", "folder", "../../" + filepath.Base(outside), outside + "/pod.yaml", up + strings.TrimPrefix(outside, "/") + "/k", "/proc/self/environ"} {
		for _, text := range []string{"resources: [" + resource + "]", "resources: [../b/pod.yaml]\nconfigMapGenerator: [{name: m, files: [" + resource + "]}]"} {
			r := kustomize(t, root+"/a", root, root+"/a/kustomization.yaml", text)
			wantError(t, r, filepath.Base(resource))
			if strings.Contains(r.Error, "s3cret") || r.Error == "" {
				t.Error(r)
			}
		}
	}
	wantError(t, kustomize(t, outside+"/k", root), "is outside of")
}

func TestRemoteResourcesAreRefused(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { asked++; w.Write([]byte(pod)) }))
	defer server.Close()
	ran := program(t, "git")
	for _, address := range []string{server.URL + "/pod.yaml", "https://github.com/o/r//base?ref=v1", "github.com/o/r", "git@github.com:o/r.git", "ssh://git@h/o/r",
		"git::https://h/o/r", "file:///r.git", "h.example/o/r.git//base", "gh:o/r"} {
		for _, field := range []string{"resources: [%q]", "bases: [%q]", "components: [%q]", "generators: [%q]", "transformers: [%q]", "patches: [{path: %q}]", "openapi: {path: %q}"} {
			root := write(t, map[string]string{"kustomization.yaml": "resources: [base]", "base/kustomization.yaml": fmt.Sprintf(field, address)})
			wantError(t, kustomize(t, root, root), "`base/kustomization.yaml`: `"+address+"` is remote, and gpulint downloads nothing")
		}
	}
	// What the walk before the build does not see meets no network.
	root := write(t, map[string]string{"kustomization.yaml": fmt.Sprintf("configMapGenerator: [{name: m, files: [%s/a]}]", server.URL)})
	wantError(t, kustomize(t, root, root), "gpulint downloads nothing: "+server.URL)
	root = write(t, map[string]string{"kustomization.yaml": "resources: [www.github.com/o/r]"})
	wantError(t, kustomize(t, root, root), "gpulint downloads nothing")
	if asked != 0 || ran() {
		t.Error("the network was used, or git", asked, ran())
	}
}

func TestOtherProgramsOfKustomizationsAreRefused(t *testing.T) {
	for _, field := range []string{"helmCharts: [{name: c, repo: https://charts.invalid}]", "helmChartInflationGenerator: [{chartName: c}]"} {
		root := write(t, map[string]string{"kustomization.yaml": "resources: [base]", "base/kustomization.yaml": field})
		wantError(t, kustomize(t, root, root), "`base/kustomization.yaml` uses `helmChart", "gpulint runs no other program")
	}
	ran := program(t, "function")
	for plugin, words := range map[string]string{
		"apiVersion: x/v1\nkind: F\nmetadata: {name: f, annotations: {config.kubernetes.io/function: 'exec: {path: function}'}}\n": "external plugins disabled",
		"apiVersion: x/v1\nkind: F\nmetadata: {name: f, annotations: {config.kubernetes.io/function: 'container: {image: f}'}}\n":  "external plugins disabled",
		"apiVersion: x/v1\nkind: Mine\nmetadata: {name: f}\n":                                                                      "external plugins disabled",
		"apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: f}\nname: c\nrepo: https://charts.invalid\n":     "--enable-helm",
	} {
		for _, field := range []string{"generators", "transformers", "validators"} {
			if field != "generators" && strings.Contains(plugin, "Inflation") {
				continue
			}
			root := write(t, map[string]string{"kustomization.yaml": field + ": [f.yaml]\nresources: [p.yaml]\n", "f.yaml": plugin, "p.yaml": pod})
			wantError(t, kustomize(t, root, root), words)
		}
	}
	if ran() {
		t.Error("a function was run")
	}
}

func TestNoThreadMayOpenSocketsOrRunPrograms(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has seccomp")
	}
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), "GPULINT_RENDER_SERVES=1")
	in, _ := command.StdinPipe()
	out, _ := command.StdoutPipe()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	defer command.Wait()
	defer in.Close()
	fmt.Fprintf(in, "{\"id\":1,\"chart\":%q}\n", testdata(t, "chart"))
	out.Read(make([]byte, 10))
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", command.Process.Pid))
	if len(tasks) < 2 {
		t.Fatal(tasks)
	}
	for _, each := range tasks {
		status, _ := os.ReadFile(each)
		wantText(t, string(status), "Seccomp:\t2", "NoNewPrivs:\t1")
	}
}

// reach prints what the process can still reach once it is isolated.
func reach() {
	isolate()
	fmt.Println("environment", len(os.Environ()), os.Getenv("PATH") == "")
	_, err := net.Listen("tcp", "127.0.0.1:0")
	fmt.Println("tcp", errors.Is(err, syscall.EPERM))
	_, err = net.Dial("unix", "/gone")
	fmt.Println("unix", errors.Is(err, syscall.EPERM))
	fmt.Println("program", errors.Is(exec.Command("/bin/true").Run(), syscall.EPERM))
	_, err = http.Get("http://127.0.0.1:9/")
	fmt.Println("http", strings.Contains(err.Error(), "gpulint downloads nothing"))
}

func TestSocketsProgramsAndEnvironmentAreOutOfReach(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has seccomp")
	}
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), "GPULINT_RENDER_REACHES=1", "GPULINT_SECRET=s3cret", "https_proxy=http://127.0.0.1:9")
	out, err := command.Output()
	if want := "environment 1 true\ntcp true\nunix true\nprogram true\nhttp true\n"; err != nil || string(out) != want {
		t.Errorf("%v: %s", err, out)
	}
}

func TestKustomizationSeesNoEnvironment(t *testing.T) {
	root := write(t, map[string]string{"kustomization.yaml": "configMapGenerator: [{name: m, envs: [e]}]", "e": "GPULINT_SECRET\n"})
	wantText(t, kustomize(t, root, root).text(t, ""), "GPULINT_SECRET: \"\"\n")
}

func TestLookupFindsNothing(t *testing.T) {
	r := askOne(t, map[string]any{"chart": chartOf(t, `{{ lookup "v1" "Secret" "a" "b" }}{{ (lookup "v1" "Secret" "" "").items }}`)})
	if text := r.text(t, "c/templates/a.yaml"); text != "map[]" {
		t.Error(text)
	}
}

func TestLinksInCirclesAndSpecialFilesAreRefused(t *testing.T) {
	for _, name := range []string{"files/x", ".helmignore", "Chart.yaml"} {
		folder := chartOf(t, "kind: Pod")
		os.MkdirAll(folder+"/files", 0o755)
		os.Remove(filepath.Join(folder, name))
		os.Symlink("y", filepath.Join(folder, name))
		os.Symlink(filepath.Base(name), filepath.Join(filepath.Dir(filepath.Join(folder, name)), "y"))
		wantError(t, askOne(t, map[string]any{"chart": folder}), "is a link that leaves the chart or leads nowhere")
	}
	folder := chartOf(t, "kind: Pod")
	os.Symlink("/etc/hostname", folder+"/.helmignore")
	wantError(t, askOne(t, map[string]any{"chart": folder}), "`.helmignore` is a link that leaves the chart")
	root := write(t, map[string]string{"kustomization.yaml": "resources: [x]", "a/kustomization.yaml": "resources: [../b]", "b/kustomization.yaml": "resources: [../a]"})
	os.Symlink("y", root+"/x")
	os.Symlink("x", root+"/y")
	wantError(t, kustomize(t, root, root), "too many links")
	wantError(t, kustomize(t, root+"/a", root), "recursed accumulation of path")
	if runtime.GOOS != "linux" {
		return
	}
	folder = chartOf(t, "kind: Pod")
	syscall.Mkfifo(folder+"/pipe", 0o644)
	wantError(t, askOne(t, map[string]any{"chart": folder}), "`pipe` is not a regular file")
	root = write(t, map[string]string{"kustomization.yaml": "resources: [pipe]"})
	syscall.Mkfifo(root+"/pipe", 0o644)
	wantError(t, kustomize(t, root, root), "is not a regular file")
}

func TestHugeFilesAreRefusedUnread(t *testing.T) {
	for _, name := range []string{"files/x", "values.yaml", ".helmignore"} {
		folder := chartOf(t, "kind: Pod", name, "")
		os.Truncate(filepath.Join(folder, name), 100<<30)
		wantError(t, askOne(t, map[string]any{"chart": folder}), "`"+name+"` is too large")
	}
	root := write(t, map[string]string{"kustomization.yaml": "resources: [p.yaml]", "p.yaml": pod})
	os.Truncate(root+"/p.yaml", 100<<30)
	wantError(t, kustomize(t, root, root), "p.yaml` is too large")
}

func TestArchivesOfSubchartsAreLimited(t *testing.T) {
	pack := func(names ...string) string {
		var packed bytes.Buffer
		zipped := gzip.NewWriter(&packed)
		archive := tar.NewWriter(zipped)
		for _, name := range names {
			text := strings.Replace(metadata, "name: c", "name: sub", 1)
			if strings.HasSuffix(name, "huge") {
				text = strings.Repeat("a", 6<<20)
			}
			archive.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))})
			archive.Write([]byte(text))
		}
		archive.Close()
		zipped.Close()
		return packed.String()
	}
	for archive, words := range map[string]string{
		pack("sub/Chart.yaml", "sub/../../../x"): "parent", pack("sub/Chart.yaml", "sub/huge"): "larger than the maximum file size",
	} {
		wantError(t, askOne(t, map[string]any{"chart": chartOf(t, "", "charts/sub-1.0.0.tgz", archive)}), words)
	}
}

// aliases is a document of nine to the power of ten words.
func aliases() string {
	text := "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
	for i := 1; i < 10; i++ {
		text += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 9), ","))
	}
	return text
}

func TestDeepYamlAndAliasesAreErrors(t *testing.T) {
	deep := "a: " + strings.Repeat("[", 200000) + strings.Repeat("]", 200000)
	for text, words := range map[string]string{deep: "exceeded max depth", aliases(): "excessive aliasing"} {
		wantError(t, askOne(t, map[string]any{"chart": chartOf(t, ""), "values": layers(text)}), words)
		wantError(t, askOne(t, map[string]any{"chart": chartOf(t, "", "values.yaml", text)}), words)
		wantError(t, askOne(t, map[string]any{"chart": chartOf(t, "", "Chart.yaml", metadata+text)}), words)
		r := askOne(t, map[string]any{"chart": chartOf(t, `{{ toYaml (fromYaml (.Files.Get "f")) }}`, "f", text)})
		wantText(t, r.text(t, "c/templates/a.yaml"), words)
		root := write(t, map[string]string{"kustomization.yaml": text})
		wantError(t, kustomize(t, root, root), words)
	}
	root := write(t, map[string]string{"kustomization.yaml": "resources: [p.yaml]", "p.yaml": pod + deep})
	wantError(t, kustomize(t, root, root), "exceeded max depth")
	parentheses := "{{ " + strings.Repeat("(", 200000) + "1" + strings.Repeat(")", 200000) + " }}"
	wantError(t, askOne(t, map[string]any{"chart": chartOf(t, parentheses)}), "max expression depth exceeded")
	for schema, words := range map[string]string{`{"allOf": [{"$ref": "#"}]}`: "reference cycle",
		strings.Repeat(`{"not":`, 200000) + "{}" + strings.Repeat("}", 200000): "exceeded max depth"} {
		wantError(t, askOne(t, map[string]any{"chart": chartOf(t, "", "values.schema.json", schema), "checkSchema": true}), words)
	}
}

func TestErrorsAreShort(t *testing.T) {
	r := askOne(t, map[string]any{"chart": chartOf(t, `{{ fail (repeat 5000 "ä") }}`)})
	if len(r.Error) < 900 || len(r.Error) > errorLength+len("…") || !utf8.ValidString(r.Error) {
		t.Error(len(r.Error))
	}
}

// wantEnd wants a request to end the process: with an answer that names a limit, or without any where the runtime gives up.
func wantEnd(t *testing.T, name string, request map[string]any) {
	t.Helper()
	replies, status := ask(t, request, map[string]any{"hello": true})
	if len(replies) > 1 || status == 0 || (len(replies) == 1) != (status == limitStatus) {
		t.Errorf("%s: %d answers, status %d: %.300v", name, len(replies), status, replies)
	}
	for _, each := range replies {
		wantError(t, each, "it needs more than ")
	}
}

func TestTemplatesThatCallThemselvesEndTheProcess(t *testing.T) {
	for template, values := range map[string]string{
		`{{ tpl .Values.x . }}`: `x: '{{ tpl (print .Values.x .Values.x) . }}{{ tpl (print .Values.x .Values.x) . }}'`,
		`{{ $s := "{{ $x := 1 }}" }}{{ range until 24 }}{{ $s = print $s $s }}{{ end }}{{ tpl $s . }}`: "",
		`{{ $d := dict }}{{ $_ := set $d "a" $d }}{{ print $d }}`:                                      "",
		`{{ $d := dict }}{{ $_ := set $d "a" $d }}{{ toToml $d }}`:                                     "",
	} {
		wantEnd(t, template, map[string]any{"chart": chartOf(t, template), "values": layers(values)})
	}
	r := askOne(t, map[string]any{"chart": chartOf(t, `{{ define "a" }}{{ tpl "{{ include \"a\" . }}" . }}{{ end }}{{ include "a" . }}`)})
	wantError(t, r, "error calling include")
}

func TestKustomizationsThatGrowEndTheProcess(t *testing.T) {
	doubles := map[string]string{"kustomization.yaml": "resources: [l20]", "l0/kustomization.yaml": "resources: [p.yaml]", "l0/p.yaml": pod}
	for i := 1; i <= 20; i++ {
		doubles[fmt.Sprintf("l%d/kustomization.yaml", i)] = fmt.Sprintf("resources: [../l%da, ../l%db]", i, i)
		for _, each := range []string{"a", "b"} {
			doubles[fmt.Sprintf("l%d%s/kustomization.yaml", i, each)] = fmt.Sprintf("resources: [../l%d]\nnamePrefix: %s\n", i-1, each)
		}
	}
	spec := "spec:\n  " + strings.ReplaceAll(aliases(), "\n", "\n  ")
	for name, files := range map[string]map[string]string{"doubles": doubles,
		"aliases": {"kustomization.yaml": "resources: [p.yaml]", "p.yaml": pod + spec}} {
		root := write(t, files)
		wantEnd(t, name, map[string]any{"kustomization": root, "root": root})
	}
}

// Judges objects by ValidatingAdmissionPolicies with the API server's own CEL compiler and cost limits: one JSON object a
// line in, one out.
//
//	{"policies": YAML, "params": {…}, "objects": [{"object": {…}, "old": {…}} …]}
//	{"policies": YAML, "versions": ["1.28" …]}
//
//	{"mutations": YAML, "objects": [{"object": {…}} …]}
//
// To the first it answers {"verdicts": [[{"policy", "matched", "findings", "error", "cost"} …] …]}: for each object what
// each policy that its kind and operation reach says of it. To the second {"errors": […]}: what does not compile there.
// To the third {"objects": [{…} …]}: what a MutatingAdmissionPolicy makes of them.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	admissionv1 "k8s.io/api/admission/v1"
	v1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/version"
	yamlutil "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

type subject struct {
	Object map[string]any `json:"object"`
	Old    map[string]any `json:"old"`
}

type question struct {
	Policies string         `json:"policies"`
	Mutating string         `json:"mutations"`
	Params   map[string]any `json:"params"`
	Objects  []subject      `json:"objects"`
	Versions []string       `json:"versions"`
}

type verdict struct {
	Policy   string `json:"policy"`
	Matched  bool   `json:"matched"`
	Findings string `json:"findings"`
	Error    string `json:"error,omitempty"`
	Cost     int64  `json:"cost"`
}

// The oldest release whose functions policies may use.
const oldest = "1.28"

type expression struct {
	name, text string
	types      []*cel.Type
}

func (e expression) GetExpression() string    { return e.text }
func (e expression) ReturnTypes() []*cel.Type { return e.types }
func (e expression) GetName() string          { return e.name }

type compiled struct {
	policy                      *v1.ValidatingAdmissionPolicy
	conditions, tests, messages plugincel.ConditionEvaluator
}

var environments sync.Map

func environmentOf(release string) *environment.EnvSet {
	found, _ := environments.LoadOrStore(release, environment.MustBaseEnvSet(version.MustParseGeneric(release)))
	return found.(*environment.EnvSet)
}

// read decodes the policies of a stream, and refuses fields that there are not.
func read(text string) (policies []*v1.ValidatingAdmissionPolicy) {
	decoder := yamlutil.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		object := map[string]any{}
		if err := decoder.Decode(&object); err == io.EOF {
			return policies
		} else if err != nil {
			panic(err)
		}
		if object["kind"] != "ValidatingAdmissionPolicy" {
			continue
		}
		policy := &v1.ValidatingAdmissionPolicy{}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(object, policy, true); err != nil {
			panic(err)
		}
		policies = append(policies, policy)
	}
}

func compile(policy *v1.ValidatingAdmissionPolicy, release string) (compiled, error) {
	compiler, err := plugincel.NewCompositedCompiler(environmentOf(release))
	if err != nil {
		return compiled{}, err
	}
	options := plugincel.OptionalVariableDeclarations{HasParams: policy.Spec.ParamKind != nil, HasAuthorizer: true}
	var conditions, tests, messages []plugincel.ExpressionAccessor
	for _, c := range policy.Spec.MatchConditions {
		conditions = append(conditions, expression{c.Name, c.Expression, []*cel.Type{cel.BoolType}})
	}
	// Conditions know no variables.
	plain := plugincel.NewConditionCompiler(environmentOf(release))
	evaluated := plain.CompileCondition(conditions, options, environment.NewExpressions)
	var variables []plugincel.NamedExpressionAccessor
	for _, v := range policy.Spec.Variables {
		variables = append(variables, expression{v.Name, v.Expression, []*cel.Type{cel.AnyType, cel.DynType}})
	}
	compiler.CompileAndStoreVariables(variables, options, environment.NewExpressions)
	for _, v := range policy.Spec.Validations {
		tests = append(tests, expression{"", v.Expression, []*cel.Type{cel.BoolType}})
		messages = append(messages, expression{"", v.MessageExpression, []*cel.Type{cel.StringType}})
	}
	return compiled{policy, evaluated, compiler.CompileCondition(tests, options, environment.NewExpressions),
		compiler.CompileCondition(messages, options, environment.NewExpressions)}, nil
}

// compileErrors names every expression that does not compile in a release, each compiled by itself.
func compileErrors(policies []*v1.ValidatingAdmissionPolicy, release string) (texts []string) {
	for _, policy := range policies {
		c, err := compile(policy, release)
		if err != nil {
			return append(texts, fmt.Sprintf("%s: %v", release, err))
		}
		for _, evaluator := range []plugincel.ConditionEvaluator{c.conditions, c.tests, c.messages} {
			for _, err := range evaluator.CompilationErrors() {
				texts = append(texts, fmt.Sprintf("%s: %s: %v", release, c.policy.Name, err))
			}
		}
	}
	return texts
}

// What the API server knows the fields of: an object of these that has a wrong type somewhere is refused when it is read.
var builtIn = map[string]func() any{
	"v1 Pod": func() any { return &corev1.Pod{} }, "v1 PodTemplate": func() any { return &corev1.PodTemplate{} },
	"v1 ReplicationController": func() any { return &corev1.ReplicationController{} },
	"v1 Node":                  func() any { return &corev1.Node{} }, "v1 ResourceQuota": func() any { return &corev1.ResourceQuota{} },
	"apps/v1 Deployment": func() any { return &appsv1.Deployment{} }, "apps/v1 StatefulSet": func() any { return &appsv1.StatefulSet{} },
	"apps/v1 DaemonSet": func() any { return &appsv1.DaemonSet{} }, "apps/v1 ReplicaSet": func() any { return &appsv1.ReplicaSet{} },
	"batch/v1 Job": func() any { return &batchv1.Job{} }, "batch/v1 CronJob": func() any { return &batchv1.CronJob{} },
}

// decode makes of an object what admission sees: fields that its kind does not have are gone.
func decode(object map[string]any) (map[string]any, error) {
	u := &unstructured.Unstructured{Object: object}
	typed, found := builtIn[u.GetAPIVersion()+" "+u.GetKind()]
	if !found {
		return object, nil
	}
	value := typed()
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, value); err != nil {
		return nil, err
	}
	if pod, is := value.(*corev1.Pod); is {
		requestLimits(pod.Spec.InitContainers)
		requestLimits(pod.Spec.Containers)
	}
	converted, err := runtime.DefaultUnstructuredConverter.ToUnstructured(value)
	if err == nil && bytes.Contains(must(json.Marshal(converted)), []byte(`"containers":null`)) {
		return nil, errors.New("no containers") // refused by validation, which comes before policies
	}
	return converted, err
}

// requestLimits does what the API server does by default: what a container limits, it requests.
func requestLimits(containers []corev1.Container) {
	for i := range containers {
		resources := &containers[i].Resources
		for name, amount := range resources.Limits {
			if _, found := resources.Requests[name]; !found {
				if resources.Requests == nil {
					resources.Requests = corev1.ResourceList{}
				}
				resources.Requests[name] = amount
			}
		}
	}
}

func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

func plural(kind string) string {
	if strings.HasSuffix(kind, "s") {
		return strings.ToLower(kind) + "es"
	}
	return strings.ToLower(kind) + "s"
}

// reaches says whether the API server asks the policy about an operation on such an object.
func (c compiled) reaches(u *unstructured.Unstructured, operation v1.OperationType) bool {
	gvk := u.GroupVersionKind()
	has := func(list []string, name string) bool {
		return slices.Contains(list, name) || slices.Contains(list, "*")
	}
	return slices.ContainsFunc(c.policy.Spec.MatchConstraints.ResourceRules, func(r v1.NamedRuleWithOperations) bool {
		return has(r.APIGroups, gvk.Group) && has(r.APIVersions, gvk.Version) && has(r.Resources, plural(gvk.Kind)) &&
			slices.Contains(r.Operations, operation)
	})
}

func (c compiled) judge(s subject, params map[string]any) (v verdict, reached bool) {
	object := &unstructured.Unstructured{Object: s.Object}
	var old *unstructured.Unstructured
	operation, admitted := v1.Create, admission.Create
	if s.Old != nil {
		old = &unstructured.Unstructured{Object: s.Old}
		operation, admitted = v1.Update, admission.Update
	}
	v.Policy = c.policy.Name
	if !c.reaches(object, operation) {
		return v, false
	}
	gvk := object.GroupVersionKind()
	attributes := &admission.VersionedAttributes{
		Attributes: admission.NewAttributesRecord(object, old, gvk, "default", object.GetName(),
			gvk.GroupVersion().WithResource(plural(gvk.Kind)), "", admitted, nil, true, nil),
		VersionedKind: gvk, VersionedObject: admission.NewLazyObject(object),
	}
	if old != nil {
		attributes.VersionedOldObject = admission.NewLazyObject(old)
	}
	request := &admissionv1.AdmissionRequest{Operation: admissionv1.Operation(operation)}
	bindings := plugincel.OptionalVariableBindings{}
	if params != nil {
		bindings.VersionedParams = &unstructured.Unstructured{Object: params}
	}
	budget := int64(celconfig.RuntimeCELCostBudget)
	ask := func(evaluator plugincel.ConditionEvaluator) []plugincel.EvaluationResult {
		results, left, err := evaluator.ForInput(context.Background(), attributes, request, bindings, nil, budget)
		if err != nil {
			v.Error = err.Error()
			return nil
		}
		v.Cost += budget - left
		for _, result := range results {
			if result.Error != nil {
				v.Error = result.Error.Error()
			}
		}
		return results
	}
	for _, result := range ask(c.conditions) {
		if v.Error == "" && result.EvalResult.Value() != true {
			return v, true
		}
	}
	v.Matched = v.Error == ""
	if !v.Matched {
		return v, true
	}
	tests := ask(c.tests)
	if v.Error == "" && tests[0].EvalResult.Value() != true {
		if messages := ask(c.messages); v.Error == "" {
			v.Findings = fmt.Sprint(messages[0].EvalResult.Value())
		}
	}
	return v, true
}

var known = map[string][]compiled{}

// compileOnce remembers: of most cases nothing differs but the parameters.
func compileOnce(text string) []compiled {
	policies, found := known[text]
	if found {
		return policies
	}
	for _, policy := range read(text) {
		c, err := compile(policy, oldest)
		if err != nil {
			panic(err)
		}
		policies = append(policies, c)
	}
	known[text] = policies
	return policies
}

func reply(line []byte) any {
	var q question
	if err := utiljson.Unmarshal(line, &q); err != nil { // whole numbers stay whole
		panic(err)
	}
	texts := []string{}
	if q.Mutating != "" {
		return map[string]any{"objects": mutate(q)}
	}
	if len(q.Versions) > 0 {
		for _, release := range q.Versions {
			texts = append(texts, compileErrors(read(q.Policies), release)...)
		}
		return map[string]any{"errors": texts}
	}
	policies := compileOnce(q.Policies)
	verdicts := make([][]verdict, len(q.Objects))
	for i, s := range q.Objects {
		verdicts[i] = []verdict{}
		object, err := decode(s.Object)
		if err != nil {
			continue
		}
		s.Object = object
		if s.Old != nil {
			if s.Old, err = decode(s.Old); err != nil {
				continue
			}
		}
		for _, c := range policies {
			if v, reached := c.judge(s, q.Params); reached {
				verdicts[i] = append(verdicts[i], v)
			}
		}
	}
	return map[string]any{"verdicts": verdicts}
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			if err := out.Encode(reply(line)); err != nil {
				panic(err)
			}
		}
		if err != nil {
			return
		}
	}
}

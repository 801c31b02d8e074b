"""A small chart, and what its tests need."""
import os
import pathlib
import shutil
import unittest

from support import GPULINT, Case

BESIDE = pathlib.Path(GPULINT).parent / "gpulint-render"
RENDERER = str(BESIDE) if BESIDE.exists() else shutil.which("gpulint-render")

CHART = "apiVersion: v2\nname: app\nversion: 1.0.0\n"
HELPERS = """\
{{- define "app.name" -}}
{{ .Release.Name }}-app
{{- end -}}
{{- define "app.labels" -}}
app: {{ include "app.name" . }}
{{- end -}}
{{- define "app.toleration" -}}
- key: nvidia.com/gpu
  operator: Exists
  value: present
{{- end -}}
"""
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "app.name" . }}
spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels:
      {{- include "app.labels" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "app.labels" . | nindent 8 }}
    spec:
      {{- with .Values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: main
          image: example.com/train:1
          {{- with .Values.resources }}
          resources:
            {{- toYaml . | nindent 12 }}
          {{- end }}
"""
JOB = """\
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ include "app.name" . }}-job
spec:
  template:
    spec:
      restartPolicy: Never
      {{- with .Values.tolerations }}
      tolerations: {{ toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: main
          image: {{ .Values.image.repository }}:{{ .Values.image.tag }}
          resources:
            limits:
              {{ .Values.gpu.type }}: {{ .Values.gpu.count }}
"""
VALUES = """\
replicas: 1
image: {repository: example.com/train, tag: "1.0"}
gpu: {type: nvidia.com/gpu, count: 1}
resources: {}
tolerations: []
"""
MINE = """\
resources:
  limits:
    nvidia.com/gpu: 1
tolerations:
- key: nvidia.com/gpu
  operator: Exists
  effect: NoSchedul
"""
NODES = "apiVersion: v1\nkind: Node\nmetadata: {name: a}\nstatus: {allocatable: {cpu: 8, memory: 8Gi, pods: 110, nvidia.com/gpu: 2}}\n"


class Charts(Case):
    def setUp(self):
        super().setUp()
        self.write("app/Chart.yaml", CHART)
        self.write("app/values.yaml", VALUES)
        self.write("app/templates/_helpers.tpl", HELPERS)
        self.write("app/templates/deployment.yaml", DEPLOYMENT)
        self.write("mine.yaml", MINE)

    def places(self, *words, **options):
        """(rule, file, line, what decides it) of each finding."""
        ran = self.check_json(*words, **options)
        return [(each["id"], each["file"], each["range"]["start"]["line"], each.get("decidedBy"))
                for each in ran.json()["diagnostics"]]

    def line_of(self, name, text):
        return self.read(name).splitlines().index(text) + 1


@unittest.skipIf(RENDERER is None, "gpulint-render is missing")
class RenderedCharts(Charts):
    def run_gpulint(self, *words, **options):
        options.setdefault("PATH", f"{pathlib.Path(RENDERER).parent}:{os.environ['PATH']}")
        return super().run_gpulint(*words, **options)

    def render(self, *words):
        return self.places("--render", "app", "--values", "mine.yaml", *words)

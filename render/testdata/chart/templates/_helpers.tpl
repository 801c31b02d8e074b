{{- define "parent.limits" -}}
nvidia.com/gpu: {{ .Values.gpus }}
{{- end }}

module oracle

go 1.26.0

require (
	github.com/imdario/mergo v0.3.16
	k8s.io/api v0.37.2
	k8s.io/apimachinery v0.37.2
)

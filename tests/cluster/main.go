// A kube-apiserver and the etcd that it needs, in one process, for tests: everything that it writes stands in one folder, and
// the token in `tokens.csv` there may do anything.
//
//	apiserver FOLDER PORT [FLAG OF KUBE-APISERVER …]
//
// It listens on 127.0.0.1 alone. No controllers run: Deployments make no pods.
package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

const token = "test-token,admin,admin,system:masters\n"

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// startStore starts etcd on a free port and returns its address.
func startStore(folder string) string {
	config := embed.NewConfig()
	config.Dir = folder
	free := url.URL{Scheme: "http", Host: "127.0.0.1:0"}
	config.ListenClientUrls = []url.URL{free}
	config.AdvertiseClientUrls = []url.URL{free}
	config.ListenPeerUrls = []url.URL{free}
	config.LogLevel = "error"
	config.UnsafeNoFsync = true // nothing outlives the test
	store, err := embed.StartEtcd(config)
	must(err)
	<-store.Server.ReadyNotify()
	return "http://" + store.Clients[0].Addr().String()
}

func writeKey(path string) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	must(err)
	block := &pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}
	must(os.WriteFile(path, pem.EncodeToMemory(block), 0o600))
}

func main() {
	if len(os.Args) < 3 {
		must(fmt.Errorf("usage: apiserver FOLDER PORT [FLAG …]"))
	}
	folder, port, flags := os.Args[1], os.Args[2], os.Args[3:]
	must(os.MkdirAll(folder, 0o700))
	key, tokens := filepath.Join(folder, "key.pem"), filepath.Join(folder, "tokens.csv")
	writeKey(key)
	must(os.WriteFile(tokens, []byte(token), 0o600))
	os.Args = append([]string{
		"kube-apiserver",
		"--etcd-servers=" + startStore(filepath.Join(folder, "etcd")),
		"--bind-address=127.0.0.1", "--secure-port=" + port,
		"--cert-dir=" + filepath.Join(folder, "certificates"),
		"--token-auth-file=" + tokens, "--authorization-mode=RBAC",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + key, "--service-account-signing-key-file=" + key,
		"--service-cluster-ip-range=10.0.0.0/24",
		// Pods of a namespace without its service account, and containers with privileges, are refused for that otherwise.
		"--disable-admission-plugins=ServiceAccount", "--allow-privileged=true",
	}, flags...)
	os.Exit(cli.Run(app.NewAPIServerCommand()))
}

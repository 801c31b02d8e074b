"""A kube-apiserver for tests, and the smallest client of it: HTTPS with a token, nothing but the standard library."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import tempfile
import time

START_SECONDS = 180
TOKEN = "test-token"
# Kinds of others, as far as policies are asked about them: their schemas are their operators' business.
CUSTOM_KINDS = [("ray.io", ["v1", "v1alpha1"], ["RayCluster", "RayJob", "RayService"]),
                ("kubeflow.org", ["v1", "v2beta1"], ["PyTorchJob", "TFJob", "MPIJob"]),
                ("jobset.x-k8s.io", ["v1alpha2"], ["JobSet"])]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Client:
    """Requests over one connection. `warnings` are those of the last answer."""

    def __init__(self, port):
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        self.connection = http.client.HTTPSConnection("127.0.0.1", port, context=context, timeout=120)
        self.resources = {}
        self.warnings = []

    def call(self, method, path, body=None):
        return self.send(method, path, None if body is None else json.dumps(body), "application/json")

    def send_yaml(self, path, text):
        return self.send("POST", path, text.encode(), "application/yaml")

    def send(self, method, path, body, kind):
        headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": kind}
        self.connection.request(method, path, body=body, headers=headers)
        answer = self.connection.getresponse()
        data = answer.read()
        # 299 - "text", its quotes and backslashes escaped
        self.warnings = [re.sub(r"\\(.)", r"\1", value.split(" ", 2)[2][1:-1])
                         for key, value in answer.getheaders() if key.lower() == "warning"]
        try:
            return answer.status, json.loads(data)
        except ValueError:
            return answer.status, {"message": data.decode(errors="replace")}

    def resource(self, value):
        """(plural, is namespaced) of an object's kind; nothing where it is not served."""
        version = value.get("apiVersion", "")
        if version not in self.resources:
            status, answer = self.call("GET", f"/api{'s' if '/' in version else ''}/{version}")
            served = answer.get("resources", []) if status == 200 else []
            found = {one["kind"]: (one["name"], one["namespaced"]) for one in served if "/" not in one["name"]}
            if not found:
                return None  # it may yet come
            self.resources[version] = found
        return self.resources[version].get(value.get("kind"))

    def path(self, value, namespace):
        """Where objects of this kind are made; nothing where they are not served."""
        found = self.resource(value)
        if found is None:
            return None
        plural, is_namespaced = found
        version = value["apiVersion"]
        place = f"/namespaces/{namespace}" if is_namespaced else ""
        return f"/api{'s' if '/' in version else ''}/{version}{place}/{plural}"

    def create(self, value, namespace="default", query=""):
        path = self.path(value, namespace)
        return (404, {"message": "not served"}) if path is None else self.call("POST", path + query, value)

    def replace(self, value, namespace="default", query=""):
        path = self.path(value, namespace)
        return self.call("PUT", f"{path}/{value['metadata']['name']}{query}", value)

    def apply(self, values, namespace="default"):
        """Makes objects or writes them anew; an AssertionError where one is refused."""
        for value in values:
            status, answer = self.create(value, namespace)
            if status == 409:
                path = f"{self.path(value, namespace)}/{value['metadata']['name']}"
                version = self.call("GET", path)[1]["metadata"]["resourceVersion"]
                again = {**value, "metadata": {**value["metadata"], "resourceVersion": version}}
                status, answer = self.call("PUT", path, again)
            assert status in (200, 201), f"{value['kind']} {value['metadata']['name']}: {answer.get('message')}"

    def delete(self, value, namespace="default"):
        return self.call("DELETE", f"{self.path(value, namespace)}/{value['metadata']['name']}")


def custom_resource_definition(group, kind, versions):
    plural = kind.lower() + "s"
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": f"{plural}.{group}"},
            "spec": {"group": group, "scope": "Namespaced",
                     "names": {"kind": kind, "listKind": f"{kind}List", "plural": plural, "singular": kind.lower()},
                     "versions": [{"name": version, "served": True, "storage": version == versions[0], "schema": schema}
                                  for version in versions]}}


def wait_for(what, ask, seconds=60):
    """Asks until it is true; the answer."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = ask()
        if answer:
            return answer
        time.sleep(0.05)
    raise AssertionError(f"waited {seconds} s for {what}")


def ask_quietly(client, path):
    """Whether the server answers with 200; it may be that nobody listens yet."""
    try:
        return client.call("GET", path)[0] == 200
    except OSError:
        client.connection.close()
        return False


class Server:
    """What runs: `port`, `pid`, `client`, and `kubeconfig` for kubectl."""

    def __init__(self, port, pid, folder):
        self.port, self.pid = port, pid
        self.client = Client(port)
        self.kubeconfig = pathlib.Path(folder) / "kubeconfig"
        cluster = {"server": f"https://127.0.0.1:{port}", "insecure-skip-tls-verify": True}
        self.kubeconfig.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "test", "clusters": [{"name": "test", "cluster": cluster}],
            "users": [{"name": "test", "user": {"token": TOKEN}}],
            "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test"}}]}))

    def processor_seconds(self):
        """What the server has used, itself and in the kernel."""
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def prepare(self):
        """What a cluster has that controllers or operators would make: a namespace, kinds."""
        self.client.apply([{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}}])
        kinds = [(group, kind, versions) for group, versions, kinds in CUSTOM_KINDS for kind in kinds]
        self.client.apply([custom_resource_definition(*one) for one in kinds])
        for group, kind, versions in kinds:
            value = {"apiVersion": f"{group}/{versions[0]}", "kind": kind}
            wait_for(f"{kind} to be served", lambda value=value: self.forget_and_ask(value))

    def forget_and_ask(self, value):
        self.client.resources.pop(value["apiVersion"], None)
        return self.client.resource(value)


@contextlib.contextmanager
def running(program, *flags):
    """A server with an empty store, for as long as the block lasts."""
    with tempfile.TemporaryDirectory(prefix="gpulint-cluster-") as folder:
        port = free_port()
        log = pathlib.Path(folder) / "log"
        with log.open("wb") as out, subprocess.Popen([program, folder, str(port), *flags], stdout=out, stderr=out) as process:
            try:
                server = Server(port, process.pid, folder)

                def is_ready():
                    if process.poll() is not None:
                        raise AssertionError("the API server has ended:\n" + log.read_text(errors="replace")[-3000:])
                    return ask_quietly(server.client, "/readyz")

                wait_for("the API server", is_ready, START_SECONDS)
                server.prepare()
                yield server
            finally:
                process.send_signal(signal.SIGTERM)
                try:
                    process.wait(20)
                except subprocess.TimeoutExpired:
                    process.kill()

"""A small API server: discovery, and lists with paging, from recorded objects."""

import json
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

RESOURCES = {
    "v1": {
        "nodes": ("Node", False), "namespaces": ("Namespace", False), "pods": ("Pod", True),
        "services": ("Service", True), "limitranges": ("LimitRange", True), "resourcequotas": ("ResourceQuota", True),
        "replicationcontrollers": ("ReplicationController", True), "configmaps": ("ConfigMap", True),
        "secrets": ("Secret", True),
    },
    "apps/v1": {
        "deployments": ("Deployment", True), "replicasets": ("ReplicaSet", True),
        "statefulsets": ("StatefulSet", True), "daemonsets": ("DaemonSet", True),
    },
    "batch/v1": {"jobs": ("Job", True), "cronjobs": ("CronJob", True)},
    "policy/v1": {"poddisruptionbudgets": ("PodDisruptionBudget", True)},
    "autoscaling/v2": {"horizontalpodautoscalers": ("HorizontalPodAutoscaler", True)},
    "storage.k8s.io/v1": {"storageclasses": ("StorageClass", False), "csinodes": ("CSINode", False)},
    "scheduling.k8s.io/v1": {"priorityclasses": ("PriorityClass", False)},
    "node.k8s.io/v1": {"runtimeclasses": ("RuntimeClass", False)},
}  # fmt: skip


class ApiServer:
    """Serves objects on a port of this machine."""

    def __init__(self, objects):
        """`objects`: by resource, such as pods."""
        self.objects = objects
        self.requests = []
        """Method and path with query of each."""
        self.expired = []
        """Resources whose second page is gone, as after a compaction."""
        self.forbidden = []
        self.unauthorised = False
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                outer.requests.append((self.command, self.path))
                parts = urllib.parse.urlsplit(self.path)
                code, body = outer._answer(parts.path, dict(urllib.parse.parse_qsl(parts.query)))
                text = json.dumps(body).encode()
                self.send_response(code)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def lists_of(self, resource):
        """Paths of the lists of a resource that were asked for."""
        return [path for _, path in self.requests if path.split("?")[0].endswith(f"/{resource}")]

    def _answer(self, path, query):
        if self.unauthorised:
            return _status(401, "Unauthorized", "Unauthorized")
        if path == "/api":
            return 200, {"kind": "APIVersions", "versions": ["v1"]}
        if path == "/apis":
            return 200, {"kind": "APIGroupList", "apiVersion": "v1", "groups": _groups()}
        for version, resources in RESOURCES.items():
            base = f"/api/{version}" if version == "v1" else f"/apis/{version}"
            if path == base:
                return 200, _resource_list(version, resources)
            if path.startswith(f"{base}/"):
                return self._listed(version, resources, path.removeprefix(f"{base}/").split("/"), query)
        return _status(404, "NotFound", "the server could not find the requested resource")

    def _listed(self, version, resources, steps, query):
        namespace = steps[1] if steps[0] == "namespaces" and len(steps) > 2 else None
        resource = steps[2] if namespace else steps[0]
        if len(steps) > (3 if namespace else 1):
            return _status(404, "NotFound", f'{resource} "{steps[-1]}" not found')
        if resource in self.forbidden:
            reason = f'{resource} is forbidden: User "ann" cannot list resource "{resource}" at the cluster scope'
            return _status(403, "Forbidden", reason)
        items = self.objects.get(resource, [])
        if namespace:
            items = [item for item in items if item["metadata"].get("namespace") == namespace]
        limit, first = int(query.get("limit", 0)), int(query.get("continue", 0))
        if first and resource in self.expired:
            message = "The provided continue parameter is too old to display a consistent list result."
            return _status(410, "Expired", message)
        page = items[first : first + limit] if limit else items[first:]
        rest = first + len(page)
        metadata = {"resourceVersion": "7"} | ({"continue": str(rest)} if rest < len(items) else {})
        kind = resources[resource][0]
        return 200, {"kind": f"{kind}List", "apiVersion": version, "metadata": metadata, "items": page}


def _status(code, reason, message):
    return code, {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason, "message": message,
                  "code": code}  # fmt: skip


def _groups():
    found = []
    for version in RESOURCES:
        if version != "v1":
            group, _, number = version.partition("/")
            one = {"groupVersion": version, "version": number}
            found.append({"name": group, "versions": [one], "preferredVersion": one})
    return found


def _resource_list(version, resources):
    listed = [
        {"name": name, "singularName": kind.lower(), "kind": kind, "namespaced": namespaced, "verbs": ["get", "list"]}
        for name, (kind, namespaced) in resources.items()
    ]
    return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": version, "resources": listed}

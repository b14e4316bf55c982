"""Asks the server whether it is ready, and for the models of its repository."""
import json
import os
import urllib.request

base = os.environ["BASE_URL"]
urllib.request.urlopen(base + "/v2/health/ready", timeout=10).read()
request = urllib.request.Request(base + "/v2/repository/index", data=b"{}", method="POST")
models = json.load(urllib.request.urlopen(request, timeout=10))
ready = [model["name"] for model in models if model.get("state") == "READY"]
assert ready, "the server has no model that is ready"
print("serves", ", ".join(ready))

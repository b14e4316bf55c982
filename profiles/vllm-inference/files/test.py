"""Asks the server for its health and for the models it serves."""
import json
import os
import urllib.request

base = os.environ["BASE_URL"]
headers = {}
if os.environ.get("API_KEY"):
    headers["Authorization"] = "Bearer " + os.environ["API_KEY"]
urllib.request.urlopen(base + "/health", timeout=10).read()
request = urllib.request.Request(base + "/v1/models", headers=headers)
models = json.load(urllib.request.urlopen(request, timeout=10))["data"]
assert models, "the server serves no model"
print("serves", ", ".join(model["id"] for model in models))

# Every target runs from a clean clone. `make demo` and `make test` are the two to know.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
TOOLS := helm3 helm4 kustomize helm-unittest
# The control planes that tests run on, as MINOR.PATCH of Kubernetes 1: the newest and the oldest
# that has mutating admission policies.
PLANES := 37.2 34.4
# What make image builds, and with what: docker, podman or buildah.
IMAGE ?= kilter
BUILDER ?= docker
GO_FILES := $(shell git ls-files --cached --others --exclude-standard '*.go')

.PHONY: demo test e2e tools control-planes golden fuzz bench lint check kilter image

# Build kilter and show the main job on a real profile: one workload, three forms, the same objects.
demo: kilter
	@./demo.sh

# All tests that need nothing but Go. A package may take longer than Go's ten minutes where
# others work on the machine, too.
test:
	go test -timeout 20m ./...

# What takes long: many random values for each profile; the real programs: helm 3, helm 4, kustomize and helm-unittest against every chart and case;
# the container image, where there is buildah; the code of Kubernetes against what Kilter
# says of budgets, autoscalers and defaults; and real control planes.
e2e: tools control-planes kilter
	go test -count=1 ./internal/render
	go test -count=1 -timeout 40m ./golden -run 'TestAgree|TestRulesOnRandom|TestVersions' -draws 150
	cd e2e && go test -count=1 -timeout 40m ./...
	cd e2e/kubernetes && go test -count=1 ./...

# Build the real programs at the versions pinned in e2e/tools, where bin/ lacks them.
tools: $(TOOLS:%=bin/%)

$(TOOLS:%=bin/%) bin/kube-score bin/kwok: bin/%: e2e/tools/%/go.mod e2e/tools/%/go.sum
	cd e2e/tools/$* && go build -o $(CURDIR)/$@ tool

# Build what tests run as a Kubernetes, where bin/ lacks it: minutes for each version.
control-planes: bin/kwok $(foreach v,$(PLANES),bin/kubernetes-1.$(basename $v))

define PLANE
bin/kubernetes-1.$(basename $1): $$(wildcard e2e/tools/kubernetes/*.go) e2e/tools/kubernetes/1.$(basename $1).mod e2e/tools/kubernetes/1.$(basename $1).sum
	cd e2e/tools/kubernetes && go build -modfile=1.$(basename $1).mod -o $$(CURDIR)/$$@ -ldflags '-s -w \
		-X k8s.io/component-base/version.gitVersion=v1.$1 -X k8s.io/component-base/version.gitMajor=1 \
		-X k8s.io/component-base/version.gitMinor=$(basename $1)' .
endef
$(foreach v,$(PLANES),$(eval $(call PLANE,$v)))

kilter:
	CGO_ENABLED=0 go build -trimpath -o bin/kilter ./cmd/kilter

# The container image of the KRM function.
image:
	CGO_ENABLED=0 GOOS=linux go build -trimpath -ldflags=-s -o bin/linux/kilter ./cmd/kilter
	$(BUILDER) build -t $(IMAGE) .

# Rewrite the golden files, charts/ and components/ from the profiles. Review the diff.
golden:
	go test ./golden ./cmd/... -update

# Search for input that makes a parser panic, half a minute for each target.
fuzz:
	go test ./internal/manifest -run '^$$' -fuzz FuzzParse -fuzztime 30s
	go test ./internal/expr -run '^$$' -fuzz FuzzTemplate -fuzztime 30s
	go test ./internal/param -run '^$$' -fuzz FuzzCheck -fuzztime 30s
	go test ./internal/render -run '^$$' -fuzz FuzzValues -fuzztime 30s

# Kilter beside helm, kustomize and kube-score in one run, against the budgets.
bench: tools kilter bin/kube-score
	cd bench && go run .

# Format, vet, and shell scripts.
lint:
	@unformatted=$$(gofmt -l $(GO_FILES)); if [ -n "$$unformatted" ]; then echo "not gofmt-ed: $$unformatted"; exit 1; fi
	go vet ./...
	@if command -v shellcheck >/dev/null; then shellcheck --external-sources --source-path=SCRIPTDIR demo.sh .ci/run $$(git ls-files --cached --others --exclude-standard '*.sh'); else echo "shellcheck is not installed: scripts not checked"; fi

# What CI runs after the tests: lint, go.mod is tidy, and the real programs.
check: lint
	go mod tidy -diff
	$(MAKE) e2e

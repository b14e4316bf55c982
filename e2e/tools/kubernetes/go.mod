// What is needed is in 1.37.mod and 1.34.mod, one for each version of Kubernetes: go build -modfile.
module kilter.dev/kilter/e2e/tools/kubernetes

go 1.26.0

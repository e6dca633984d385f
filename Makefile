# The usual verbs. CI runs .ci/run, which calls the same commands.
.PHONY: build demo test race lint fuzz bench cross ci long

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME ?= 60s

build: ## the berth binary, here
	CGO_ENABLED=0 go build -trimpath -o berth ./cmd/berth

demo: ## the main job on sample data
	go run ./cmd/berth demo

test: ## what the README calls
	go test ./...

race:
	CGO_ENABLED=1 go test -race ./...

lint:
	test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	go vet ./...
	go run $(STATICCHECK) ./...

fuzz: ## every fuzz target for FUZZTIME
	.ci/fuzz $(FUZZTIME)

bench:
	go test -run '^$$' -bench . ./...

cross: ## compiles for every platform we serve
	.ci/cross

ci: ## everything that must hold before a change lands
	.ci/run

long: ## kills, soak, attacks, races and fuzzing at full length
	.ci/long

// Command bench measures berth beside other MCP servers and writes what it
// found as Markdown:
//
//	go run ./e2e/bench            # three rounds, ten to twenty minutes
//	go run ./e2e/bench -short     # a quick try: one round, fewer calls
//	go run ./e2e/bench -o FILE
//	go run ./e2e/bench -growth FOLDER   # how berth's own figures grow, with plots
//	go run ./e2e/bench -team FILE       # what a design costs that several share
//
// It builds berth, gets the peers (npm, and the Go module proxy) into a folder
// of its own, makes scratch databases, and has every server do the same work in
// turn, in the same run: machines differ, and what counts is the ratio. What is
// not there (a peer, a database server, npm) is a row that says so. Nothing is
// left behind, also after Ctrl-C.
//
// The databases are those that the tests use: BERTH_TEST_POSTGRES, a URL, and
// BERTH_TEST_MYSQL, a DSN of go-sql-driver, or the servers of this machine.
//
// Files: main.go is the run; peers.go, berth.go and install.go are the servers
// and where they come from; scratch*.go the databases; the other files are what
// is measured, one each. The client is package driver, the arithmetic and the
// Markdown package table, the plots package plot.
//
// The tests in this folder are further comparisons, as Go benchmarks: berth
// beside e2e/bench/bare, an echo on the same SDK, and the designer page in a
// real Chromium beside a page of React Flow and nothing else (this needs Node
// and npm ci --prefix designer/page):
//
//	go test -run '^$' -bench . -timeout 40m ./e2e/bench
//	go test -run '^$' -bench Page/1000 ./e2e/bench
//
// BenchmarkRealSchema reads 1,028 tables of real shapes (package e2e/schemas)
// on a PostgreSQL, in turn with pg_dump -s of the same.
package main

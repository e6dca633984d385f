// Package bench compares the built berth with a bare MCP server on the same
// SDK, both as real processes measured alternately in one run: what counts is
// the ratio, since machines differ. Run it with
//
//	go test -run '^$' -bench . ./e2e/bench
//
// The peer is e2e/bench/bare: one tool that echoes, nothing else.
//
// BenchmarkPage does the same for the designer page, in a real Chromium; its
// peer is designer/page/bench, a page of React Flow and nothing else. It needs
// Node and the page's packages (npm ci --prefix designer/page) and takes three
// minutes:
//
//	go test -run '^$' -bench Page ./e2e/bench
//
// BenchmarkRealSchema reads 1,028 tables of real shapes (package e2e/schemas)
// on a PostgreSQL, in turn with pg_dump -s of the same.
package bench

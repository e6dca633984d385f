// Package bench compares the built berth with a bare MCP server on the same
// SDK, both as real processes measured in turn in one run: what counts is the
// ratio, since machines differ. Run it with
//
//	go test -run '^$' -bench . ./e2e/bench
//
// The peer is e2e/bench/bare: one tool that echoes, nothing else.
package bench

// Package e2e tests the built berth binary as its users meet it: real processes
// on real sockets, killed when they would be, with real MCP clients and real
// databases. It contains only tests.
//
// Start with world (world_test.go): a user's machine in miniature, with its
// own BERTH_HOME, ports and projects. The stories are one file each:
// ports, handover, routing, crash, security, designer, demo, and the peers
// (MCP Inspector, the conformance suite) that need Node.
package e2e

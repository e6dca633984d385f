// Package clients registers berth with the programs that start MCP servers:
// Claude Code, VS Code, Codex and others. It knows which files each of them
// reads, by whose rules it reads them, and how to put an entry in, mend it and
// take it out again without touching a byte of what others wrote. It asks
// nobody and prints nothing: cmd/berth/cli does.
//
// Start with [All], the list of clients, and [Client.Targets], the files of
// one. The way of a change:
//
//	Target.Add, Target.Remove → Change (before, after) → Write
//
// Invariants: planning reads and never writes; [Write] puts all files in place
// or none, each by a rename. No symbolic link of a project leads a write out
// of it. A file that its client could not read is refused, not mended.
package clients

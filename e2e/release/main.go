// Command release makes what a release has beside what GoReleaser makes of it,
// from the same programs. It is part of .ci/release, which says in which order:
//
//	prepare          the manual, the completions and the marks, into bin/pack
//	pack TAG HERE    npm packages, .mcpb bundles, .vsix, the Claude Code plugin, server.json, latest.json and checksums.txt, into dist;
//	                 HERE that is not empty leaves out the targets that were not built
//	manifests DIR    what validators read of it, into DIR; no program is built
//	npm DIR PROGRAMS VERSION
//	                 npm's packages alone, into DIR/npm: the main one, and this machine's of the programs in a folder
//	compare ONE TWO  two dist folders hold the same bytes
//	list DIST        every file of every package, with its size
//	vsix DIR BIN     the editor's extension for this machine, with the programs in BIN, into DIR; .ci/editor plays it
//
// Start with the function of that name.
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "prepare":
		return prepare("bin/pack")
	case len(args) == 3 && args[0] == "pack":
		return pack("dist", args[1], args[2] != "")
	case len(args) == 2 && args[0] == "manifests":
		return manifests(args[1], "0.0.0-dev")
	case len(args) == 4 && args[0] == "npm":
		return npm(args[1], args[2], args[3])
	case len(args) == 3 && args[0] == "compare":
		return compare(args[1], args[2])
	case len(args) == 2 && args[0] == "list":
		return list(args[1])
	case len(args) == 3 && args[0] == "vsix":
		return vsixHere(args[1], args[2])
	}
	return fmt.Errorf("%q is none of: prepare, pack TAG HERE, manifests DIR, npm DIR PROGRAMS VERSION, compare ONE TWO, list DIST, vsix DIR BIN", args)
}

// Package installed says how this copy of berth came onto the machine, and so
// how it is upgraded and removed. Each package that the release command makes
// puts a file named [MarkFile] with one of the names of [Ways] beside the
// program; package managers that unpack a plain archive are known by where they
// unpack it, and programs built from source by what the toolchain stamped. What
// none of these tells is [Unknown]: a guess would name a command that does not
// work.
//
// Start with [Find].
package installed

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/berth-dev/berth/cmd/berth/build"
)

// MarkFile is the name of the file beside the program that says what installed
// it.
const MarkFile = "installed-by"

// A Copy is one installed berth.
type Copy struct {
	By      string `json:"by"`      // a name of Ways
	Words   string `json:"-"`       // the same for people, after "installed by"
	Program string `json:"program"` // its path, without symbolic links
	Upgrade string `json:"upgrade"` // a command, or what to do in words; empty: unknown
	Remove  string `json:"remove"`  // the same
}

// Find looks at the program at executable. It reads at most one small file.
func Find(executable string, b build.Info) Copy {
	program := executable
	if real, err := filepath.EvalSymlinks(program); err == nil {
		program = real
	}
	way := unknown
	for _, w := range ways {
		if w.is(program, b) {
			way = w
			break
		}
	}
	fill := strings.NewReplacer("{program}", quoted(program), "{folder}", quoted(filepath.Dir(program)))
	return Copy{By: way.name, Words: way.words, Program: program, Upgrade: fill.Replace(way.upgrade), Remove: fill.Replace(way.remove)}
}

// Ways are the names that a Copy's By may have.
func Ways() []string {
	var names []string
	for _, w := range ways {
		names = append(names, w.name)
	}
	return append(names, unknown.name)
}

// mark is what the file beside the program says, "" if there is none.
func mark(program string) string {
	f, err := os.Open(filepath.Join(filepath.Dir(program), MarkFile))
	if err != nil {
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 64))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// quoted is a path as a shell of Unix and PowerShell both take it.
func quoted(path string) string {
	if strings.ContainsAny(path, " '\"$`&();<>|*?[]#~!") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

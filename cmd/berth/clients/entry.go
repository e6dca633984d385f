package clients

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// serverName is what berth is called in every client.
const serverName = "berth"

// An Entry is what a client's file says of the server berth.
type Entry struct {
	Command string // empty: none that a program could be started by
	Args    []string
	Bare    bool // says no more than these two and what the client wants to have said
}

// Plain reports whether the arguments are those of a front-end alone. Only such
// an entry may be started to be looked at: a file of a project could say
// anything.
func (e Entry) Plain() bool {
	return e.Bare && (slices.Equal(e.Args, []string{"mcp"}) || slices.Equal(e.Args, []string{"mcp", "--autostart"}))
}

// String is the command line as people write it.
func (e Entry) String() string { return strings.Join(append([]string{e.Command}, e.Args...), " ") }

// A State says how an entry stands to the berth that runs.
type State int

// The states.
const (
	Ours    State = iota // starts this berth
	Stale                // starts no berth: nothing is there, or other arguments
	Other                // starts another berth, which is there
	Foreign              // is something else that has the name
)

// A Berth is the program that runs, as a client would start it.
type Berth struct {
	program string // absolute
	onPath  bool   // "berth" leads to it
}

// small is the front-end of its own, which hands on to full beside it; see
// decision 0065.
const (
	small = "berth"
	full  = "berth-full"
)

// ThisBerth finds how clients start the program at executable.
func ThisBerth(executable string) Berth {
	b := Berth{program: executable}
	if name(executable) == full {
		if beside := filepath.Join(filepath.Dir(executable), small); isFile(beside) {
			b.program = beside
		}
	}
	found, err := exec.LookPath(serverName)
	b.onPath = err == nil && filepath.IsAbs(found) && b.is(found)
	return b
}

// Entry is the entry that makes a client start the program: by its name if that
// leads to it, else by its path.
func (b Berth) Entry(c *Client) Entry {
	e := Entry{Command: b.program, Args: []string{"mcp"}, Bare: true}
	if b.onPath && !c.Desktop {
		e.Command = serverName
	}
	return e
}

// OnPath reports whether the name berth leads to the program.
func (b Berth) OnPath() bool { return b.onPath }

// Program is the program's path.
func (b Berth) Program() string { return b.program }

// Judge compares an entry with the program.
func (b Berth) Judge(e Entry) State {
	if !isBerth(e.Command) {
		return Foreign
	}
	found := e.Command
	if !filepath.IsAbs(found) {
		if strings.ContainsAny(found, `/\`) {
			return Stale // relative: where it leads depends on the client
		}
		var err error
		if found, err = exec.LookPath(found); err != nil || !filepath.IsAbs(found) {
			return Stale
		}
	}
	switch {
	case !isFile(found) || len(e.Args) == 0 || e.Args[0] != "mcp":
		return Stale
	case b.is(found):
		return Ours
	default:
		return Other
	}
}

// is reports whether a path leads to the program.
func (b Berth) is(path string) bool {
	one, err := os.Stat(path)
	if err != nil {
		return false
	}
	other, err := os.Stat(b.program)
	return err == nil && os.SameFile(one, other)
}

// isBerth reports whether a command has berth's name. Windows ignores case.
func isBerth(command string) bool {
	return strings.EqualFold(name(command), small) || strings.EqualFold(name(command), full)
}

// name is the last part of a command, without Windows' extension.
func name(command string) string {
	base := command[strings.LastIndexAny(command, `/\`)+1:]
	if n := len(base) - len(".exe"); n > 0 && strings.EqualFold(base[n:], ".exe") {
		return base[:n]
	}
	return base
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// PasteText is the JSON that a client with a dialog takes.
func PasteText(e Entry) string {
	text, err := renderLine(map[string]any{"mcpServers": map[string]any{serverName: stdioServer{e.Command, e.Args}}})
	if err != nil { // strings always encode
		return fmt.Sprint(err)
	}
	return text
}

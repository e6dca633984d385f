// Package build says which berth this is.
package build

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Info is what the toolchain stamped into the program.
type Info struct {
	Version  string `json:"version"` // of the module, "devel" outside of a release
	Commit   string `json:"commit,omitempty"`
	Modified bool   `json:"modified,omitempty"` // built from files that differ from the commit
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

// Read returns the stamp of this program; it costs no I/O.
func Read() Info {
	b := Info{Version: "devel", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// String is what berth version prints.
func (b Info) String() string {
	return fmt.Sprintf("berth %s (%s %s/%s)", b.Version, b.Go, b.OS, b.Arch)
}

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
	Date     string `json:"date,omitempty"`     // of the commit, as in RFC 3339
	Modified bool   `json:"modified,omitempty"` // built from files that differ from the commit
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	Source   Source `json:"source"`
}

// A Source says what a program was built from.
type Source string

// The sources.
const (
	FromRelease Source = "release" // by the release command, with Releases set
	FromModule  Source = "module"  // by go install github.com/berth-dev/berth/…@version
	FromClone   Source = "clone"   // in a clone of the repository
	FromFiles   Source = "files"   // of source files without a history
)

// releases is where published releases are listed. The release command sets it
// with -ldflags -X; nothing else does, and no setting changes it.
var releases string

// Releases returns the URL where published releases are listed, "" if this
// program was not built by the release command.
func Releases() string { return releases }

// Read returns the stamp of this program; it costs no I/O.
func Read() Info {
	b := Info{Version: "devel", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, Source: FromFiles}
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
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	b.Source = source(b.Commit, info.Main.Sum)
	return b
}

// source tells the sources apart: a module from the proxy has a checksum and no
// history.
func source(commit, sum string) Source {
	switch {
	case releases != "":
		return FromRelease
	case commit != "":
		return FromClone
	case sum != "":
		return FromModule
	default:
		return FromFiles
	}
}

// String is what berth version prints.
func (b Info) String() string {
	return fmt.Sprintf("berth %s (%s %s/%s)", b.Version, b.Go, b.OS, b.Arch)
}

package files

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/tools/files/disk"
)

// Folders that are never written: git's and berth's own, whose settings decide
// what an agent may do.
const (
	gitFolder   = ".git"
	berthFolder = ".berth"
)

// readable refuses files whose content an agent must not read.
func (t *Tool) readable(name string) *failure {
	for part := range strings.SplitSeq(name, "/") {
		if folded(part) == gitFolder {
			return &failure{Reason: reasonProtected, Message: clip.Text(name, 300) + " belongs to git; ask git"}
		}
	}
	if disk.IsTemp(name) {
		return &failure{Reason: reasonProtected, Message: clip.Text(name, 300) + " is a file that is being written"}
	}
	if g := secretsOf.group(name); g != nil && !t.settings.Load().Secrets {
		return heldFailure(clip.Text(name, 300)+" is held back by its name", g)
	}
	return nil
}

// heldBack reports whether a file is not read because of its name.
func (t *Tool) heldBack(name string) bool { return !t.settings.Load().Secrets && secret(name) }

// heldFailure returns the failure for a file that is held back.
func heldFailure(what string, g *heldGroup) *failure {
	return &failure{Reason: reasonSecret, Message: what + ": " + g.what + " may hold secrets (" + g.why + ") and are not read",
		Hint: heldHint}
}

// heldHint says how to make a file that is held back readable.
const heldHint = "a person can allow it with files: {secrets: true} in config.yaml (see berth config); a copy without the secrets may end in .example"

// writable refuses files that are never written by a tool.
func (t *Tool) writable(ctx context.Context, name string) error {
	for part := range strings.SplitSeq(name, "/") {
		if folded(part) == berthFolder {
			return &failure{Reason: reasonProtected, Message: clip.Text(name, 300) + " is in .berth, which only a person may change"}
		}
	}
	if f := t.readable(name); f != nil {
		return f
	}
	verdict, err := t.files().Hidden(ctx, name)
	if err != nil {
		return err
	}
	if verdict.Ignored {
		return &failure{Reason: reasonProtected, Message: clip.Text(name, 300) + " is hidden by .gitignore, and such files are not written",
			Hint: clip.Text("the rule is in "+verdict.Source, 200)}
	}
	return nil
}

// folded returns a name as file systems may interpret it: in lower case,
// without invisible characters and without trailing dots and spaces.
func folded(part string) string {
	part = strings.Map(func(r rune) rune {
		switch {
		case r < utf8.RuneSelf && ('A' > r || r > 'Z'):
			return r // called for every letter of every path of a search
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return unicode.ToLower(r)
	}, part)
	part, _, _ = strings.Cut(part, ":") // an alternate data stream on Windows
	part = strings.TrimRight(part, ". ")
	if strings.HasPrefix(part, "git~") { // .git as Windows shortens it
		return gitFolder
	}
	return part
}

// secretsOf is the index of names that are held back.
var secretsOf = newHeldNames(heldBack)

// secret reports whether a file may contain secrets, judged by its name.
func secret(name string) bool { return secretsOf.group(name) != nil }

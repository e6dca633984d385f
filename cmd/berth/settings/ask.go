package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// An Ask is one thing that a file of the project wants and may not do before
// the project's user trusts it: take something of the user's, reach beyond
// the project and this machine, or raise a right. The files of a project and
// of the folders above it may be a stranger's; decision 0033 has the rules.
type Ask struct {
	// Digest is that of the project, of what is asked and of all that it is
	// asked for: a line that changes is another ask.
	Digest string `json:"digest"`
	// Key is the setting, or "connections.NAME".
	Key string `json:"key"`
	// Words say what happens once it is trusted, in one line that holds no
	// secret and no character that a reader does not see.
	Words   string `json:"words"`
	File    string `json:"file"`           // that asks
	Line    int    `json:"line,omitempty"` // there; 0: not known
	Trusted bool   `json:"trusted"`

	root   string // of the project
	detail string // beyond the words
	writes bool   // it is about writing to a connection, not about using it
}

// Detail is what a person has to see beside the words, and what may hold a
// secret: the whole of a command line. "": there is no more.
func (a Ask) Detail() string { return a.detail }

// Place is file and line, the file below the project where it is there, and
// quoted where its name is not plain.
func (a Ask) Place() string {
	file := a.File
	if rel, err := filepath.Rel(a.root, a.File); err == nil && filepath.IsLocal(rel) {
		file = rel
	}
	if file = plain(file); a.Line == 0 {
		return file
	}
	return file + ":" + strconv.Itoa(a.Line)
}

// request is an ask before it has a digest.
type request struct {
	kind  string   // a word for the digest
	bound []string // what it is for
	words string
	// detail is beyond the words, see [Ask.Detail].
	detail string
}

// kindWrites is the kind of an ask for allowWrites.
const kindWrites = "writes"

// ask makes an ask of a request and settles whether the user trusts it.
func (s *Settings) ask(r request, key, file string, line int) Ask {
	a := Ask{root: s.root, Digest: digest(append([]string{s.root, r.kind, key}, r.bound...)), Key: key, Words: r.words, File: file, Line: line, detail: r.detail, writes: r.kind == kindWrites}
	a.Trusted = s.trustsAll || s.trusted != nil && s.trusted(a.Digest)
	return a
}

// digest hashes parts, each with its length.
func digest(parts []string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p) // a hash takes every write
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Asks lists what the settings' files ask, trusted or not: rights in the order
// of [Settings.Values], then connections in their order. Those of connections
// that were found elsewhere are not among them, see [Settings.Found].
func (s *Settings) Asks() []Ask {
	var list []Ask
	for _, f := range append(fields(), storeRule()) {
		if a, ok := s.rights[f.name]; ok {
			list = append(list, a)
		}
	}
	for _, c := range s.Connections {
		list = append(list, c.Asks...)
	}
	return list
}

// Waits returns the ask of a setting that waits for the user's trust.
func (s *Settings) Waits(key string) (Ask, bool) {
	a, ok := s.rights[key]
	return a, ok && !a.Trusted
}

// Untrusted leaves of asks those that wait for the user.
func Untrusted(asks []Ask) []Ask {
	return slices.DeleteFunc(slices.Clone(asks), func(a Ask) bool { return a.Trusted })
}

// TrustsAll reports whether the user's own settings trust all that the
// project's files ask.
func (s *Settings) TrustsAll() bool { return s.trustsAll }

// TrustCommand is the one command by which a person looks at what a project
// asks and trusts it.
func TrustCommand(root string) string { return "berth trust " + shellWord(root) }

// shellWord is a path as one word of a shell. On Windows that is as both cmd and
// PowerShell take it: single quotes are part of the word in cmd.
func shellWord(path string) string {
	if runtime.GOOS == "windows" {
		if strings.ContainsFunc(path, func(r rune) bool { return !isPlain(r) || strings.ContainsRune("${},@", r) }) {
			return `"` + path + `"` // a path holds no quote there
		}
		return path
	}
	if path != "" && !strings.ContainsFunc(path, func(r rune) bool { return !isPlain(r) || r == '$' || r == '{' || r == '}' || r == '\\' || r == '*' }) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// plain is a word of a file within a line for people: as it stands where
// every character of it is plain, else quoted in ASCII, so that nothing in it
// passes for something else.
func plain(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !isPlain(r) }) {
		return word
	}
	return strconv.QuoteToASCII(word)
}

func isPlain(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(`-_.:/\@${}+,~=*[]`, r)
}

package tree

import (
	"strings"
	"testing"
)

// FuzzIgnoreFile looks for ignore files that panic, or that take forever: a
// pattern of many stars must not take exponential time.
func FuzzIgnoreFile(f *testing.F) {
	f.Add([]byte("*.o\n!a\n/b/\n"), "x/a.o")
	f.Add([]byte("[[:alpha:]-\\]x[!a-z]\\"), "a]b")
	f.Add([]byte("a\\ \n\\"), "a ")
	f.Add([]byte(strings.Repeat("**/", 60)+"x"), strings.Repeat("a/", 60))
	f.Add([]byte(strings.Repeat("*a", 60)+"x"), strings.Repeat("a", 200))
	f.Add([]byte("/"+strings.Repeat("**/*a", 60)+"x"), strings.Repeat("a/a", 200))
	f.Fuzz(func(t *testing.T, content []byte, path string) {
		if len(content) > 4096 || len(path) > 1024 {
			return
		}
		for _, fold := range []bool{false, true} {
			r := &rules{fold: fold, patterns: parse(content)}
			for _, dir := range []bool{false, true} {
				if _, p := r.decide(path, dir); p != nil && p.raw == "" {
					t.Fatal("an empty line decided")
				}
			}
		}
	})
}

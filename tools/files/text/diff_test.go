package text_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/tools/files/text"
)

func TestDiffsReadAsUnifiedDiffs(t *testing.T) {
	for name, tt := range map[string]struct {
		before, after string
		want          string
	}{
		"a line": {"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
			"--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"},
		"two hunks": {"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "one\n2\n3\n4\n5\n6\n7\n8\nnine\n",
			"--- a/f\n+++ b/f\n@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+nine\n"},
		"an addition at the end": {"1\n", "1\n2\n", "--- a/f\n+++ b/f\n@@ -1 +1,2 @@\n 1\n+2\n"},
		"an addition to nothing": {"", "1\n2\n", "--- a/f\n+++ b/f\n@@ -0,0 +1,2 @@\n+1\n+2\n"},
		"a removal of all":       {"1\n2\n", "", "--- a/f\n+++ b/f\n@@ -1,2 +0,0 @@\n-1\n-2\n"},
		"a newline at the end":   {"1", "1\n", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-1\n\\ No newline at end of file\n+1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, cut := text.Compare(tt.before, tt.after, nil).Text("f", false, 0)
			assert.Equal(t, tt.want, got)
			assert.False(t, cut)
		})
	}
}

func TestALongDiffIsCutAndSaysSo(t *testing.T) {
	var before, after strings.Builder
	for range 1000 {
		before.WriteString("a line of the file\n1\n2\n3\n4\n5\n6\n7\n8\n")
		after.WriteString("another line of it\n1\n2\n3\n4\n5\n6\n7\n8\n")
	}
	d := text.Compare(before.String(), after.String(), nil)
	assert.Equal(t, [2]int{1000, 1000}, [2]int{d.Additions, d.Deletions})
	for _, limit := range []int{200, 1000, 8 << 10} {
		got, cut := d.Text("f", false, limit)
		assert.True(t, cut)
		assert.LessOrEqual(t, len(got), limit)
		assert.Contains(t, got, "cut here, in hunk")
	}
}

func TestAPathDoesNotForgeADiff(t *testing.T) {
	got, _ := text.Compare("a\n", "b\n", nil).Text("x\n@@ -1 +1 @@\n-gone", false, 0)
	assert.Equal(t, 1, strings.Count(got, "\n@@ "))
}

func TestFingerprintsTellWhichLinesChanged(t *testing.T) {
	seed := text.NewSeed()
	got := text.ChangedLines(seed.Fingerprints("1\n2\n3\n4\n5\n"), seed.Fingerprints("1\nzwei\ndrei\n4\n"))
	assert.Equal(t, []text.Range{{From: 2, To: 3}, {From: 5, To: 4}}, got, "lines 2 and 3 differ, one is gone before line 5")
}

package disk_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/version"
)

// One edit, durable, of a file nobody else writes.
func BenchmarkReplace(b *testing.B) {
	for _, size := range []int{8 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			dir := b.TempDir()
			content := make([]byte, size)
			for i := range content {
				content[i] = "abcdefghij klmnop\n"[i%18]
			}
			require.NoError(b, os.WriteFile(filepath.Join(dir, "file"), content, 0o644))
			project, err := disk.Open(dir, "")
			require.NoError(b, err)
			defer project.Close()
			for i := 0; b.Loop(); i++ {
				was, err := project.Read("file")
				require.NoError(b, err)
				content[0] = byte('a' + i%26)
				if _, err := project.Replace(was, content); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What naming a content costs beside that.
func BenchmarkVersion(b *testing.B) {
	content := make([]byte, 8<<10)
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		version.Of(content)
	}
}

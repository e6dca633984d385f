package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestChecksumsCoverWhatIsFetched(t *testing.T) {
	dist := t.TempDir()
	for _, name := range []string{"berth_1.tar.gz", "berth_1.vsix", "berth_1.mcpb", "berth_1.tar.gz.sbom.json", "artifacts.json"} {
		if err := os.WriteFile(filepath.Join(dist, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := checksums(dist); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dist, "checksums.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(text)) {
		names = append(names, strings.Fields(line)[1])
	}
	if got := strings.Join(names, " "); got != "berth_1.mcpb berth_1.tar.gz berth_1.tar.gz.sbom.json berth_1.vsix" {
		t.Errorf("checksums of %s", got)
	}
	if shown := string(compared("checksums.txt", text)); strings.Contains(shown, "sbom") || strings.Count(shown, "\n") != 3 {
		t.Errorf("compared: %s", shown)
	}
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// withoutPaths fails if a program holds a path of the machine that built it:
// built elsewhere it would have other bytes, and it tells what is nobody's
// business. -trimpath leaves them out.
func withoutPaths(program string) error {
	data, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	folders, err := buildFolders()
	if err != nil {
		return err
	}
	for _, folder := range folders {
		if bytes.Contains(data, []byte(folder+string(filepath.Separator))) {
			return fmt.Errorf("%s holds paths below %s, so it was not built with -trimpath", program, folder)
		}
	}
	return nil
}

// buildFolders are those that hold what a program here is built of: the project,
// the modules and Go's own sources.
func buildFolders() ([]string, error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	known, err := output("go", "env", "GOMODCACHE", "GOROOT")
	if err != nil {
		return nil, err
	}
	return append(strings.Split(strings.TrimSpace(string(known)), "\n"), here), nil
}

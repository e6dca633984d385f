package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A target is one system and processor, in the words of each world.
type target struct{ goos, goarch, npmOS, npmCPU string }

var targets = []target{
	{"linux", "amd64", "linux", "x64"}, {"linux", "arm64", "linux", "arm64"},
	{"darwin", "amd64", "darwin", "x64"}, {"darwin", "arm64", "darwin", "arm64"},
	{"windows", "amd64", "win32", "x64"}, {"windows", "arm64", "win32", "arm64"},
}

// programs are the files that a package for the target holds.
func (t target) programs() []string {
	if t.goos == "windows" {
		return []string{"berth.exe"}
	}
	return []string{"berth", "berth-full"}
}

// A build is one of GoReleaser's programs.
type build struct {
	Name, Path, Goos, Goarch, Type string
}

// builds reads GoReleaser's list of what it made.
func builds(dist string) (list []build, err error) {
	text, err := os.ReadFile(filepath.Join(dist, "artifacts.json"))
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	return list, err
}

// pack makes everything that GoReleaser does not. A target that was not built is
// an error unless only some were to be.
func pack(dist, tag string, some bool) error {
	made, err := builds(dist)
	if err != nil {
		return err
	}
	version := strings.TrimPrefix(tag, "v")
	var bundles []bundle
	for _, t := range targets {
		if some && !t.built(made) {
			continue
		}
		folder, err := gather(dist, made, t)
		if err != nil {
			return err
		}
		b, err := mcpb(dist, folder, version, t)
		if err != nil {
			return err
		}
		bundles = append(bundles, b)
		if err := vsix(dist, folder, version, t); err != nil {
			return err
		}
		if err := platformPackage(dist, folder, version, t); err != nil {
			return err
		}
	}
	day, err := commitDay()
	if err != nil {
		return err
	}
	return errors.Join(mainPackage(dist, "bin/pack/man", version), plugin(dist, version), serverJSON(dist, version, bundles), latest(dist, tag, day),
		settleWinget(dist, day), checksums(dist))
}

func (t target) built(made []build) bool {
	return slices.ContainsFunc(made, func(b build) bool { return b.Type == "Binary" && b.Goos == t.goos && b.Goarch == t.goarch })
}

// gather puts the programs of a target into a folder of their own.
func gather(dist string, made []build, t target) (folder string, err error) {
	folder = filepath.Join(dist, "programs", t.goos+"-"+t.goarch)
	found := 0
	for _, b := range made {
		if b.Type == "Binary" && b.Goos == t.goos && b.Goarch == t.goarch {
			found++
			if err := withoutPaths(b.Path); err != nil {
				return "", err
			}
			if err := copyFile(b.Path, filepath.Join(folder, b.Name), 0o755); err != nil {
				return "", err
			}
		}
	}
	if found != len(t.programs()) {
		return "", fmt.Errorf("GoReleaser made %d programs for %s/%s, and there are %q", found, t.goos, t.goarch, t.programs())
	}
	return folder, nil
}

// latest is the file that berth upgrade reads.
func latest(dist, tag, day string) error {
	return writeJSON(filepath.Join(dist, "latest.json"), map[string]any{"version": tag, "date": day, "page": repository + "/releases/tag/" + tag})
}

// commitDay is the day of the commit, which is the same for everybody who builds
// it: 2026-11-28.
func commitDay() (string, error) {
	day, err := output("git", "log", "-1", "--format=%cd", "--date=format-local:%Y-%m-%d")
	return strings.TrimSpace(string(day)), err
}

const repository = "https://github.com/berth-dev/berth"

// template reads a JSON file of the repository and sets fields in it.
func template(path string, set map[string]any) (map[string]any, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	for name, value := range set {
		if value == nil {
			delete(fields, name)
		} else {
			fields[name] = value
		}
	}
	return fields, nil
}

func encodeJSON(v any) ([]byte, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return text.Bytes(), err
}

func writeJSON(path string, v any) error {
	text, err := encodeJSON(v)
	if err != nil {
		return err
	}
	return write(path, text, 0o644)
}

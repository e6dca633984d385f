package main

import (
	"fmt"
	"os"
	"path/filepath"
)

const scope = "@berth-dev/"

// platformPackage makes the npm package with the programs of one target.
func platformPackage(dist, programs, version string, t target) error {
	name := t.npmOS + "-" + t.npmCPU
	folder := filepath.Join(dist, "npm", name)
	for _, program := range t.programs() {
		if err := copyFile(filepath.Join(programs, program), filepath.Join(folder, "bin", program), 0o755); err != nil {
			return err
		}
	}
	fields, err := template("cmd/npm/package.json", map[string]any{
		"name": scope + name, "version": version, "description": fmt.Sprintf("The program of %sberth for %s on %s.", scope, t.npmOS, t.npmCPU),
		"os": []string{t.npmOS}, "cpu": []string{t.npmCPU}, "files": []string{"bin"}, "preferUnplugged": true,
		"bin": nil, "private": nil, "mcpName": nil, "engines": nil, "keywords": nil,
	})
	if err != nil {
		return err
	}
	text := fmt.Sprintf("# %s%s\n\nThe program of [%sberth](%s) for %s on %s. Install that one: it brings this along.\n", scope, name, scope, repository, t.npmOS, t.npmCPU)
	if err := write(filepath.Join(folder, "README.md"), []byte(text), 0o644); err != nil {
		return err
	}
	if err := copyFile("bin/pack/npm/installed-by", filepath.Join(folder, "bin", "installed-by"), 0o644); err != nil {
		return err
	}
	return npmPack(folder, fields, dist)
}

// mainPackage makes the npm package that people name.
func mainPackage(dist, version string) error {
	optional := map[string]string{}
	for _, t := range targets {
		optional[scope+t.npmOS+"-"+t.npmCPU] = version
	}
	fields, err := template("cmd/npm/package.json", map[string]any{"version": version, "private": nil, "optionalDependencies": optional})
	if err != nil {
		return err
	}
	folder := filepath.Join(dist, "npm", "berth")
	for name, mode := range map[string]os.FileMode{"berth.js": 0o755, "README.md": 0o644} {
		if err := copyFile(filepath.Join("cmd/npm", name), filepath.Join(folder, name), mode); err != nil {
			return err
		}
	}
	return npmPack(folder, fields, dist)
}

// npmPack makes the tarball of a package, as npm publish would send it.
func npmPack(folder string, manifest map[string]any, dist string) error {
	if err := writeJSON(filepath.Join(folder, "package.json"), manifest); err != nil {
		return err
	}
	if err := copyFile("LICENSE", filepath.Join(folder, "LICENSE"), 0o644); err != nil {
		return err
	}
	_, err := output("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", filepath.Join(dist, "npm"), "./"+folder)
	return err
}

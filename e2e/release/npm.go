package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

const scope = "@berth-dev/"

// npm makes the main package, and the platform's of this machine of programs
// that are built already: what tests install.
func npm(dir, programs, version string) error {
	for _, t := range targets {
		if t.goos == runtime.GOOS && t.goarch == runtime.GOARCH {
			if err := platformPackage(dir, programs, version, t); err != nil {
				return err
			}
			whole, manual := t.programs()[len(t.programs())-1], filepath.Join(dir, "man")
			if _, err := output(filepath.Join(programs, whole), "man", manual); err != nil {
				return err
			}
			return mainPackage(dir, manual, version)
		}
	}
	return fmt.Errorf("there is no package for %s/%s", runtime.GOOS, runtime.GOARCH)
}

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
	if err := write(filepath.Join(folder, "bin", "installed-by"), []byte("npm\n"), 0o644); err != nil {
		return err
	}
	return npmPack(folder, fields, dist)
}

// mainPackage makes the npm package that people name. Installed for all projects
// (-g), its manual is where man looks.
func mainPackage(dist, manual, version string) error {
	optional := map[string]string{}
	for _, t := range targets {
		optional[scope+t.npmOS+"-"+t.npmCPU] = version
	}
	folder := filepath.Join(dist, "npm", "berth")
	pages, err := filepath.Glob(filepath.Join(manual, "*.1"))
	if err != nil {
		return err
	}
	if len(pages) == 0 {
		return fmt.Errorf("%s holds no manual", manual)
	}
	for i, page := range pages {
		pages[i] = "man/" + filepath.Base(page)
		if err := copyFile(page, filepath.Join(folder, pages[i]), 0o644); err != nil {
			return err
		}
	}
	fields, err := template("cmd/npm/package.json", map[string]any{"version": version, "private": nil, "optionalDependencies": optional,
		"files": []string{"berth.js", "man"}, "man": pages})
	if err != nil {
		return err
	}
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
	path, err := filepath.Abs(folder) // a relative one could be read as the name of a package
	if err != nil {
		return err
	}
	_, err = output("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", filepath.Join(dist, "npm"), path)
	return err
}

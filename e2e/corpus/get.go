package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed schemas.txt
var publicSchemas string

// source is a public schema: parts of one commit of a repository.
type source struct {
	dialect, name, repo, commit string
	parts                       []part
}

// part is a file of the repository, or SQL.
type part struct{ path, sql string }

// sources reads the list.
func sources(list string) ([]source, error) {
	var all []source
	for i, line := range strings.Split(list, "\n") {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || strings.HasPrefix(line, "#"):
			continue
		case words[0] == "!" && len(all) > 0:
			last := &all[len(all)-1]
			last.parts = append(last.parts, part{sql: strings.TrimPrefix(line, "! ")})
			continue
		case words[0] == "+" && len(all) > 0:
			words = words[1:]
		case len(words) < 4:
			return nil, fmt.Errorf("schemas.txt, line %d: dialect, name, repository, commit and files are needed", i+1)
		default:
			all = append(all, source{dialect: words[0], name: words[1], repo: words[2], commit: words[3]})
			words = words[4:]
		}
		last := &all[len(all)-1]
		for _, path := range words {
			last.parts = append(last.parts, part{path: path})
		}
	}
	return all, nil
}

// get brings the public schemas into the folder. One that cannot be had is
// said and left out.
func get(ctx context.Context, s settings) error {
	all, err := sources(publicSchemas)
	if err != nil {
		return err
	}
	for _, one := range all {
		if !strings.Contains(one.dialect+"/"+one.name, s.only) {
			continue
		}
		if err := one.get(ctx, s); err != nil {
			fmt.Printf("%s/%s: not brought: %v\n", one.dialect, one.name, err)
			continue
		}
		fmt.Printf("%s/%s: %d files\n", one.dialect, one.name, len(one.parts))
	}
	return ctx.Err()
}

func (o source) get(ctx context.Context, s settings) error {
	owner, name, _ := strings.Cut(o.repo, "/")
	url := strings.NewReplacer("{owner}", owner, "{name}", name).Replace(s.mirror)
	clone, err := os.MkdirTemp("", "berth-corpus-git-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(clone) }()
	git := func(args ...string) ([]byte, error) {
		out, err := exec.CommandContext(ctx, "git", append([]string{"-C", clone}, args...)...).Output()
		if exit, ok := err.(*exec.ExitError); ok {
			err = fmt.Errorf("git %s: %s", args[0], strings.TrimSpace(string(exit.Stderr)))
		}
		return out, err
	}
	if _, err := git("init", "-q", "--bare"); err != nil {
		return err
	}
	if _, err := git("remote", "add", "origin", url); err != nil {
		return err
	}
	// The files alone, where the server can leave out the others.
	if _, err := git("fetch", "-q", "--depth", "1", "--filter=blob:none", "origin", o.commit); err != nil {
		return err
	}
	return o.write(filepath.Join(s.folder, o.dialect, o.name), func(path string) ([]byte, error) { return git("show", o.commit+":"+path) })
}

// write puts the parts into a folder of their own, or beside it where there
// is one database only.
func (o source) write(folder string, read func(path string) ([]byte, error)) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for i, p := range o.parts {
		name, text := "prelude.sql", []byte(p.sql)
		if p.path != "" {
			var err error
			if text, err = read(p.path); err != nil {
				fmt.Printf("%s/%s: without %s: %v\n", o.dialect, o.name, p.path, err)
				continue
			}
			name = filepath.Base(p.path)
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%02d-%s", i, name)), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

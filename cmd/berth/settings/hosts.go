package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

const keyHosts = "hosts"

// Host is another machine that the user reaches by a command.
type Host struct {
	Name      string
	Command   []string // runs "berth relay" there; the program is a name or an absolute path
	Autostart bool     // agents may have stopped projects started there; default false
	Line      int      // of the user's config.yaml
}

// hostFields are the settings of a host.
func hostFields() []field[Host] {
	return []field[Host]{
		argumentsField("command", func(h *Host) *[]string { return &h.Command }),
		boolField("autostart", func(h *Host) *bool { return &h.Autostart }),
	}
}

// argumentsField takes a program and its arguments, each a text.
func argumentsField[T any](name string, at func(*T) *[]string) field[T] {
	return field[T]{
		name: name,
		get:  func(t *T) any { return strings.Join(*at(t), " ") },
		set: func(t *T, v scalar) error {
			if v.kind != kindList || len(v.list) == 0 {
				return wrongType("a list: the program and its arguments, as in [ssh, build1, berth, relay]", v)
			}
			if err := checkProgram(v.list[0]); err != nil {
				return err
			}
			*at(t) = v.list
			return nil
		},
	}
}

// checkProgram refuses a program that depends on the folder berth runs in.
func checkProgram(program string) error {
	if program == "" || strings.ContainsAny(program, `/\`) && !filepath.IsAbs(program) {
		return fmt.Errorf("must begin with a program's name or absolute path, not %s", shown(program))
	}
	return nil
}

// checkHostName refuses what no host can be called: one letter is a drive.
func checkHostName(name string) error {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	if len(name) < 2 || len(name) > 63 || !plain(rune(name[0])) ||
		strings.ContainsFunc(name, func(r rune) bool { return !plain(r) && !strings.ContainsRune("._-", r) }) {
		return fmt.Errorf("a host's name has two to 63 letters, digits, dots, dashes and underscores and begins with a letter or digit; %s does not", shown(name))
	}
	return nil
}

// hosts reads the user's hosts.
func (f *ownFile) hosts(node ast.Node, at int) error {
	if f.level != LevelGlobal {
		return f.fail(at, keyHosts, "is for the user's own config.yaml",
			"a project does not decide which machines those who open it reach; see berth config --help for where that file is")
	}
	f.s.Hosts = nil
	return f.mapping(node, keyHosts+".", func(name string, at int, value ast.Node) error {
		if err := checkHostName(name); err != nil {
			return f.fail(at, keyHosts, err.Error(), "")
		}
		h := Host{Name: name, Line: at}
		prefix := keyHosts + "." + name + "."
		all := hostFields()
		err := f.mapping(value, prefix, func(key string, line int, value ast.Node) error {
			for _, field := range all {
				if field.name == key {
					f.s.origins[prefix+key] = origin{f.level, f.file, line}
					return set(f, &h, field, prefix+key, value, line)
				}
			}
			return f.fail(line, prefix+key, "is not a setting of a host", didYouMean(key, names(all)))
		})
		if err != nil {
			return err
		}
		if h.Command == nil {
			return f.fail(at, keyHosts+"."+name, "lacks its command", "write it as in: "+name+": {command: [ssh, "+name+", berth, relay]}")
		}
		f.s.Hosts = append(f.s.Hosts, h)
		return nil
	})
}

// hostValues lists the hosts as a file spells them.
func (s *Settings) hostValues() []Value {
	var list []Value
	for _, h := range s.Hosts {
		for _, f := range hostFields() {
			key := keyHosts + "." + h.Name + "." + f.name
			list = append(list, s.value(key, f.get(&h), s.origins[key]))
		}
	}
	return list
}

// LoadHosts reads the hosts of the user's own config.yaml, sorted by name. A
// file that does not exist names none.
func LoadHosts(file string) ([]Host, error) {
	data, err := readFile(source{file: file}, maxOwnBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return readHosts(file, data)
}

// readHosts reads the hosts of a file's text, and nothing else of it: a mistake
// elsewhere keeps nobody from other machines.
func readHosts(file string, data []byte) ([]Host, error) {
	f := ownFile{s: defaults(), level: LevelGlobal, file: file}
	root, err := f.parse(data)
	if err != nil || root == nil {
		return nil, err
	}
	err = f.mapping(root, "", func(key string, at int, value ast.Node) error {
		if key != keyHosts {
			return nil
		}
		return f.hosts(value, at)
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(f.s.Hosts, func(a, b Host) int { return strings.Compare(a.Name, b.Name) })
	return f.s.Hosts, nil
}

package settings

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// line returns a host as a line of the mapping of hosts.
func (h Host) line(indent string) string {
	words := make([]string, len(h.Command))
	for i, word := range h.Command {
		words[i] = quotedYAML(word)
	}
	text := indent + h.Name + ": {command: [" + strings.Join(words, ", ") + "]"
	if h.Autostart {
		text += ", autostart: true"
	}
	return text + "}"
}

// InsertHost returns the text of a config.yaml with one more host. All other
// bytes stay as they are. The error is [ErrForm] if its hosts are written in a
// form that is not edited.
func InsertHost(data []byte, h Host) ([]byte, error) {
	if err := checkHostName(h.Name); err != nil {
		return nil, err
	}
	if err := checkProgram(h.Command[0]); err != nil {
		return nil, fmt.Errorf("the command %w", err)
	}
	return editHosts(data, func(lines []string, at int, list *ast.MappingNode) ([]string, error) {
		if at == 0 {
			return append(lines, keyHosts+":\n", h.line("  ")+"\n"), nil
		}
		indent := "  "
		for _, pair := range list.Values {
			indent = strings.Repeat(" ", pair.Key.GetToken().Position.Column-1)
			if pair.Key.String() == h.Name {
				return nil, fmt.Errorf("there is a host %s already, on line %d", h.Name, line(pair.Key))
			}
		}
		return slices.Insert(lines, at, h.line(indent)+"\n"), nil
	})
}

// RemoveHost returns the text of a config.yaml without a host. All other bytes
// stay as they are.
func RemoveHost(data []byte, name string) ([]byte, error) {
	return editHosts(data, func(lines []string, at int, list *ast.MappingNode) ([]string, error) {
		for _, pair := range list.Values {
			if pair.Key.String() != name {
				continue
			}
			from := line(pair.Key) - 1
			to := from + 1
			column := pair.Key.GetToken().Position.Column
			for to < len(lines) && indented(lines[to]) >= column {
				to++
			}
			if len(list.Values) == 1 {
				lines[at-1] = ""
			}
			return slices.Delete(lines, from, to), nil
		}
		return nil, fmt.Errorf("no host is named %s", shown(name))
	})
}

// indented returns how many spaces a line begins with; -1: it is blank.
func indented(line string) int {
	rest := strings.TrimLeft(line, " ")
	if strings.TrimSpace(rest) == "" {
		return -1
	}
	return len(line) - len(rest)
}

// editHosts calls edit with the lines of a file, the line of hosts (counted
// from 1; 0: there is none) and its entries.
func editHosts(data []byte, edit func(lines []string, at int, list *ast.MappingNode) ([]string, error)) ([]byte, error) {
	if bytes.Contains(data, []byte("\r\n")) {
		return nil, ErrForm
	}
	f := ownFile{level: LevelGlobal}
	root, err := f.parse(data)
	if err != nil {
		return nil, err
	}
	at, list := 0, &ast.MappingNode{}
	if m, ok := root.(*ast.MappingNode); ok {
		for _, pair := range m.Values {
			if pair.Key.String() != keyHosts {
				continue
			}
			at = line(pair.Key)
			switch v := pair.Value.(type) {
			case *ast.MappingNode:
				if list = v; v.IsFlowStyle || len(v.Values) > 0 && line(v.Values[0].Key) == at {
					return nil, ErrForm
				}
			case *ast.NullNode:
			default:
				return nil, ErrForm
			}
		}
	} else if root != nil {
		return nil, ErrForm
	}
	lines, err := edit(splitLines(string(data), "\n"), at, list)
	if err != nil {
		return nil, err
	}
	changed := []byte(strings.Join(lines, ""))
	if _, err := readHosts("config.yaml", changed); err != nil {
		return nil, ErrForm
	}
	return changed, nil
}

package discovery

import (
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// maxTOMLDepth bounds brackets within brackets.
const maxTOMLDepth = 50

// parseTOML lists the texts, numbers and flags of a file by their full names,
// joined by dots. Arrays are left out. line is where an error is, 0 if that
// is not known.
func parseTOML(data []byte) (settings map[string]setting, line int, err error) {
	if nestedTOML(data) > maxTOMLDepth {
		return nil, 0, errors.New("is nested too deeply")
	}
	settings = map[string]setting{}
	p := &unstable.Parser{}
	p.Reset(data)
	table := ""
	for p.NextExpression() {
		node := p.Expression()
		switch node.Kind {
		case unstable.Table:
			table = tomlKey("", node.Key())
		case unstable.ArrayTable:
			table = tomlKey("", node.Key()) + "[]" // of no interest, and not to be taken for a table
		case unstable.KeyValue:
			tomlValue(settings, p, tomlKey(table, node.Key()), node.Value())
		}
	}
	if p.Error() != nil {
		return nil, 0, errors.New("is not TOML")
	}
	return settings, 0, nil
}

// nestedTOML is a bound from above of how deep brackets are.
func nestedTOML(data []byte) int {
	depth, deepest := 0, 0
	for _, c := range data {
		switch c {
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			depth = max(depth-1, 0)
		}
	}
	return deepest
}

func tomlKey(table string, keys unstable.Iterator) string {
	parts := []string{}
	if table != "" {
		parts = append(parts, table)
	}
	for keys.Next() {
		parts = append(parts, string(keys.Node().Data))
	}
	return strings.Join(parts, ".")
}

func tomlValue(all map[string]setting, p *unstable.Parser, name string, node *unstable.Node) {
	switch node.Kind {
	case unstable.String, unstable.Integer, unstable.Bool, unstable.Float:
		line := 1
		if node.Raw.Length > 0 {
			line = p.Shape(node.Raw).Start.Line
		}
		all[name] = setting{name: name, value: string(node.Data), line: line}
	case unstable.InlineTable:
		for pairs := node.Children(); pairs.Next(); {
			pair := pairs.Node()
			tomlValue(all, p, tomlKey(name, pair.Key()), pair.Value())
		}
	}
}

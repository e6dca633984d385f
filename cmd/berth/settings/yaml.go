package settings

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/berth-dev/berth/designer/lazyregexp"
)

// ownFile reads one of berth's own files, strictly, into the settings.
type ownFile struct {
	s      *Settings
	level  Level
	file   string
	dir    string // what relative paths are below; empty: none may stand here
	lookup func(string) (string, bool)
}

// read takes the whole file. What it sets overrides what s holds.
func (f *ownFile) read(data []byte) error {
	root, err := f.parse(data)
	if err != nil || root == nil {
		return err
	}
	return f.section(root, "")
}

// parse gives the one document of the file, nil if it is empty.
func (f *ownFile) parse(data []byte) (ast.Node, error) {
	// The parser's time grows with the square of the nesting, so that is
	// bounded before it sees the file.
	if nesting(data, false) > maxNesting {
		return nil, f.fail(0, "", "is nested too deeply", "")
	}
	// Repeated keys are found below, where their full name is known.
	parsed, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, f.syntax(err)
	}
	var root ast.Node
	for _, doc := range parsed.Docs {
		if _, directive := doc.Body.(*ast.DirectiveNode); doc.Body == nil || directive {
			continue
		}
		if root != nil {
			return nil, f.fail(line(doc.Body), "", "holds a second YAML document", "keep one, without --- lines")
		}
		root = doc.Body
	}
	return root, nil
}

func (f *ownFile) syntax(err error) error {
	var s *yaml.SyntaxError
	if !errors.As(err, &s) {
		return &FileError{File: f.file, Problem: "is not YAML", Err: err}
	}
	at := 0
	if s.Token != nil && s.Token.Position != nil {
		at = s.Token.Position.Line
	}
	advice := ""
	if strings.Contains(s.Message, "'\t'") { // which a terminal shows as a space
		advice = "indent with spaces: YAML allows no tab there"
	}
	// What the parser quotes may be a password that wants quotes.
	return f.fail(at, "", "is not YAML: "+short(quotedText().ReplaceAllString(s.Message, "…")), advice)
}

var quotedText = lazyregexp.New(`(?s)".*"`)

// section reads a mapping whose keys are settings below prefix.
func (f *ownFile) section(node ast.Node, prefix string) error {
	all := fields()
	known := keysBelow(prefix, append(names(all), keyConnections, keyStore, keyHosts, keyTeam))
	return f.mapping(node, prefix, func(key string, at int, value ast.Node) error {
		full := prefix + key
		if strings.Contains(key, ".") {
			return f.fail(at, full, "is not a setting", "write sections as nested mappings")
		}
		if full == keyConnections {
			return f.connections(value)
		}
		if full == keyStore {
			return f.store(value, at)
		}
		if full == keyHosts {
			return f.hosts(value, at)
		}
		if full == keyTeam {
			return f.team(value, at)
		}
		for _, field := range all {
			if field.name == full {
				before := *f.s
				if err := set(f, f.s, field, full, value, at); err != nil {
					return err
				}
				f.allow(field, before, at)
				return nil
			}
		}
		if !contains(known, key) {
			return f.fail(at, full, "is not a setting", didYouMean(key, known))
		}
		return f.section(value, full+".")
	})
}

// mapping calls each for every key of a mapping. A missing value is an empty
// mapping: a section whose lines are all commented out is no mistake.
func (f *ownFile) mapping(node ast.Node, prefix string, each func(key string, at int, value ast.Node) error) error {
	name := strings.TrimSuffix(prefix, ".")
	if _, empty := node.(*ast.NullNode); empty {
		return nil
	}
	m, ok := node.(*ast.MappingNode)
	if !ok {
		return f.fail(line(node), name, wrongType("a mapping", scalarOf(node)).Error(), "")
	}
	seen := map[string]int{}
	for _, pair := range m.Values {
		at := line(pair.Key)
		key, ok := pair.Key.(*ast.StringNode)
		if !ok {
			return f.fail(at, name, fmt.Sprintf("key %s is not a setting", shown(pair.Key.String())),
				"keys are plain words, without anchors, merges or tags")
		}
		if first, twice := seen[key.Value]; twice {
			return f.fail(at, prefix+key.Value, fmt.Sprintf("is set twice, first on line %d", first), "")
		}
		seen[key.Value] = at
		if err := each(key.Value, at, pair.Value); err != nil {
			return err
		}
	}
	return nil
}

// set gives one field the value of a node.
func set[T any](f *ownFile, t *T, field field[T], full string, value ast.Node, at int) error {
	if field.userOnly && f.level != LevelGlobal {
		return f.fail(at, full, "is for the user's own config.yaml", "a project does not decide this for those who open it; see berth config --help for where that file is")
	}
	if err := field.set(t, scalarOf(value)); err != nil {
		return f.fail(at, full, err.Error(), "")
	}
	return nil
}

func (f *ownFile) fail(at int, key, problem, advice string) *FileError {
	return &FileError{File: f.file, Line: at, Key: short(key), Problem: problem, Advice: advice}
}

// keysBelow lists the next word of every name that starts with prefix.
func keysBelow(prefix string, all []string) []string {
	var list []string
	for _, name := range all {
		rest, ok := strings.CutPrefix(name, prefix)
		word, _, _ := strings.Cut(rest, ".")
		if ok && !contains(list, word) {
			list = append(list, word)
		}
	}
	return list
}

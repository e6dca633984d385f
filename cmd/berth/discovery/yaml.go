package discovery

import (
	"github.com/goccy/go-yaml/ast"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

// yamlDocument is one document of a YAML file. It is looked things up in, not
// decoded: aliases of aliases could grow without bounds.
type yamlDocument struct {
	body    ast.Node
	anchors map[string]ast.Node
}

// parseYAML reads the documents of a file.
func parseYAML(data []byte) (documents []yamlDocument, line int, err error) {
	bodies, line, err := settings.ParseYAML(data)
	for _, body := range bodies {
		d := yamlDocument{body: body, anchors: map[string]ast.Node{}}
		ast.Walk(anchorFinder(d.anchors), body)
		documents = append(documents, d)
	}
	return documents, line, err
}

type anchorFinder map[string]ast.Node

// Visit implements [ast.Visitor].
func (a anchorFinder) Visit(node ast.Node) ast.Visitor {
	if anchor, ok := node.(*ast.AnchorNode); ok {
		a[anchor.Name.String()] = anchor.Value
	}
	return a
}

// Bounds of the way to one value.
const (
	maxAliases = 10  // in a row
	maxMerges  = 100 // looked into
)

// resolve steps over anchors, aliases and tags.
func (d yamlDocument) resolve(node ast.Node) ast.Node {
	for range maxAliases {
		switch n := node.(type) {
		case *ast.AnchorNode:
			node = n.Value
		case *ast.AliasNode:
			node = d.anchors[n.Value.String()]
		case *ast.TagNode:
			node = n.Value
		default:
			return node
		}
	}
	return nil
}

// pairs are the members of a mapping, nil if node is none.
func (d yamlDocument) pairs(node ast.Node) []*ast.MappingValueNode {
	switch n := d.resolve(node).(type) {
	case *ast.MappingNode:
		return n.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}
	}
	return nil
}

// field finds a member of a mapping, in what is merged into it too; nil if it
// is not there.
func (d yamlDocument) field(node ast.Node, key string) ast.Node {
	left := maxMerges
	return d.merged(node, key, &left)
}

func (d yamlDocument) merged(node ast.Node, key string, left *int) ast.Node {
	if *left--; *left < 0 {
		return nil
	}
	var merges []ast.Node
	var found ast.Node
	for _, pair := range d.pairs(node) {
		if _, merge := pair.Key.(*ast.MergeKeyNode); merge {
			merges = append(merges, pair.Value)
		} else if keyOf(pair) == key {
			found = pair.Value // of several the last, as readers have it
		}
	}
	for i := 0; found == nil && i < len(merges); i++ {
		if list, ok := d.resolve(merges[i]).(*ast.SequenceNode); ok && len(merges) < maxMerges {
			merges = append(merges, list.Values...)
			continue
		}
		found = d.merged(merges[i], key, left)
	}
	return found
}

// path finds a member of members.
func (d yamlDocument) path(node ast.Node, keys ...string) ast.Node {
	for _, key := range keys {
		if node = d.field(node, key); node == nil {
			return nil
		}
	}
	return node
}

// keyOf is a member's name.
func keyOf(pair *ast.MappingValueNode) string {
	switch key := pair.Key.(type) {
	case *ast.StringNode:
		return key.Value
	case *ast.IntegerNode:
		return key.String()
	}
	return ""
}

// text is a scalar as it is written, without quotes; false: it is none.
func (d yamlDocument) text(node ast.Node) (string, bool) {
	switch n := d.resolve(node).(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// items are the members of a list, nil if node is none.
func (d yamlDocument) items(node ast.Node) []ast.Node {
	if n, ok := d.resolve(node).(*ast.SequenceNode); ok {
		return n.Values
	}
	return nil
}

// lineOf is where a node begins, 0 if it does not say.
func lineOf(node ast.Node) int {
	if node == nil || node.GetToken() == nil || node.GetToken().Position == nil {
		return 0
	}
	return node.GetToken().Position.Line
}

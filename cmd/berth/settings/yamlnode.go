package settings

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// scalarOf reads a node as a plain value. Anchors, aliases and tags are
// another kind: a settings file needs none, and a reader of it should not have
// to know them.
func scalarOf(node ast.Node) scalar {
	switch n := node.(type) {
	case nil, *ast.NullNode:
		return scalar{kind: kindNothing}
	case *ast.StringNode:
		return scalar{kind: kindText, text: n.Value}
	case *ast.LiteralNode:
		return scalar{kind: kindText, text: n.Value.Value}
	case *ast.BoolNode:
		return scalar{kind: kindBool, text: n.String(), flag: n.Value}
	case *ast.IntegerNode:
		return integer(n)
	case *ast.SequenceNode:
		return scalar{kind: kindList, list: texts(n)}
	case *ast.MappingNode, *ast.MappingValueNode:
		return scalar{kind: kindMapping}
	default:
		return scalar{kind: kindOther, text: node.String()}
	}
}

// texts are the items of a list, nil where one is no text.
func texts(n *ast.SequenceNode) []string {
	list := []string{}
	for _, item := range n.Values {
		v := scalarOf(item)
		if v.kind != kindText {
			return nil
		}
		list = append(list, v.text)
	}
	return list
}

func integer(n *ast.IntegerNode) scalar {
	switch v := n.Value.(type) {
	case int64:
		return scalar{kind: kindInt, text: n.String(), num: v}
	case uint64:
		if v <= 1<<62 {
			return scalar{kind: kindInt, text: n.String(), num: int64(v)}
		}
	}
	return scalar{kind: kindOther, text: n.String()}
}

// line is where a node starts, 0 if it does not say.
func line(node ast.Node) int {
	if node == nil {
		return 0
	}
	if t := node.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 0
}

func contains(list []string, word string) bool { return slices.Contains(list, word) }

// short bounds a word of a file for an error.
func short(key string) string {
	const limit = 80
	key = strings.ToValidUTF8(key, "�")
	if r := []rune(key); len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return key
}

package settings

import (
	"bytes"
	"strings"

	"github.com/tailscale/hujson"
)

// readEditor takes our one key out of an editor's file: the top level of
// settings.json, or the "settings" member of a *.code-workspace. Everything
// else there is another program's and is not judged, but a file that cannot be
// read is an error: the key in it might have said no.
func (s *Settings) readEditor(data []byte, level Level, file string) (found bool, err error) {
	fail := func(line int, key, problem string) error {
		return &FileError{File: file, Line: line, Key: key, Problem: problem}
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return false, nil
	}
	root, line, err := ParseCommented(data)
	if err != nil {
		return false, fail(line, "", err.Error())
	}
	object, ok := root.Value.(*hujson.Object)
	if !ok {
		return false, fail(1, "", "must be an object")
	}
	if strings.HasSuffix(file, workspaceSuffix) {
		object = member(object, "settings")
	}
	for _, m := range members(object, editorKey) {
		line := 1 + bytes.Count(data[:m.Value.StartOffset], []byte("\n"))
		literal, isLiteral := m.Value.Value.(hujson.Literal)
		if !isLiteral || (literal.Kind() != 't' && literal.Kind() != 'f') {
			return false, fail(line, editorKey, "must be true or false")
		}
		if found {
			return false, fail(line, editorKey, "is set twice")
		}
		found = true
		before, from := *s, origin{level, file, line}
		s.EnableMCPServer = literal.Bool()
		if s.raise(fields()[0], before, from) { // enableMcpServer comes first
			s.origins[keyEnable] = from
		}
	}
	return found, nil
}

// workspaceSuffix ends the name of a VS Code workspace file.
const workspaceSuffix = ".code-workspace"

// members lists an object's members of a name; a nil object has none.
func members(o *hujson.Object, name string) []hujson.ObjectMember {
	var list []hujson.ObjectMember
	if o == nil {
		return nil
	}
	for _, m := range o.Members {
		if literal, ok := m.Name.Value.(hujson.Literal); ok && literal.String() == name {
			list = append(list, m)
		}
	}
	return list
}

// member is the object that a member holds, nil if there is none. Of several
// the last counts, as in the editor.
func member(o *hujson.Object, name string) *hujson.Object {
	list := members(o, name)
	if len(list) == 0 {
		return nil
	}
	inner, _ := list[len(list)-1].Value.Value.(*hujson.Object)
	return inner
}

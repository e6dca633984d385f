package settings

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/tailscale/hujson"
)

// ParseCommented parses JSON with comments and trailing commas, the language
// of editors' files, from a source that is not trusted: brackets nested beyond
// all reason are an error, not the end of the process. The error repeats
// nothing of the text; line is where it is, 0 if that is not known.
func ParseCommented(data []byte) (value hujson.Value, line int, err error) {
	if nesting(data, true) > maxNesting {
		return hujson.Value{}, 0, errors.New("is nested too deeply")
	}
	value, err = hujson.Parse(data)
	if err != nil {
		// The parser wants a newline after a line comment, editors do not. What
		// the newline cannot help keeps its first error.
		if ended, again := hujson.Parse(append(bytes.Clone(data), '\n')); again == nil {
			ended.AfterExtra = ended.AfterExtra[:len(ended.AfterExtra)-1]
			value, err = ended, nil
		}
	}
	if err != nil {
		return hujson.Value{}, errorLine(err), errors.New("is not JSON with comments")
	}
	return value, 0, nil
}

// errorLine is the line that the parser's error names, 0 if none. The rest of
// its text is left out: it repeats what stands in the file.
func errorLine(err error) int {
	_, after, _ := strings.Cut(err.Error(), "line ")
	digits, _, _ := strings.Cut(after, ",")
	n, _ := strconv.Atoi(digits)
	return n
}

// ParseYAML parses YAML from a source that is not trusted into the bodies of
// its documents. The error repeats nothing of the text; line is where it is,
// 0 if that is not known.
func ParseYAML(data []byte) (documents []ast.Node, line int, err error) {
	if nesting(data, false) > maxNesting {
		return nil, 0, errors.New("is nested too deeply")
	}
	parsed, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		var s *yaml.SyntaxError
		if errors.As(err, &s) && s.Token != nil && s.Token.Position != nil {
			line = s.Token.Position.Line
		}
		return nil, line, errors.New("is not YAML")
	}
	for _, doc := range parsed.Docs {
		if _, directive := doc.Body.(*ast.DirectiveNode); doc.Body != nil && !directive {
			documents = append(documents, doc.Body)
		}
	}
	return documents, 0, nil
}

package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrTooLarge and ErrTooDeep are wrapped by errors of [CheckJSON] for input that
// exceeds a limit.
var (
	ErrTooLarge = errors.New("JSON is too large")
	ErrTooDeep  = errors.New("JSON is nested too deeply")
)

// CheckJSON checks that raw is exactly one JSON value that all parsers read
// alike: valid UTF-8, no duplicate names in an object, nothing after the value,
// at most maxBytes bytes long and maxDepth objects and arrays deep. Two parsers
// that read the same bytes differently can be exploited, so both ends of the hop
// use CheckJSON and nothing else.
func CheckJSON(raw []byte, maxDepth, maxBytes int) error {
	if err := checkLimits(raw, maxDepth, maxBytes); err != nil {
		return err
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw))
	if err := dec.SkipValue(); err != nil {
		return syntaxError(err)
	}
	if _, err := dec.ReadToken(); err != io.EOF {
		return errors.New("more than one JSON value")
	}
	return nil
}

// Decode reads raw into out as strictly as [CheckJSON] and with names matched
// in their exact case. Unknown names are ignored: the two ends may be of
// different versions.
func Decode(raw []byte, maxDepth, maxBytes int, out any) error {
	if err := checkLimits(raw, maxDepth, maxBytes); err != nil {
		return err
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return syntaxError(err)
	}
	return nil
}

func checkLimits(raw []byte, maxDepth, maxBytes int) error {
	if len(raw) > maxBytes {
		return fmt.Errorf("%w: %d bytes, at most %d", ErrTooLarge, len(raw), maxBytes)
	}
	if deeper(raw, maxDepth) {
		return fmt.Errorf("%w: at most %d levels", ErrTooDeep, maxDepth)
	}
	return nil
}

// deeper scans once, before any parser allocates for the nesting.
func deeper(raw []byte, limit int) bool {
	depth, inString := 0, false
	for i := 0; i < len(raw); i++ {
		switch b := raw[i]; {
		case inString:
			if b == '\\' {
				i++
			} else if b == '"' {
				inString = false
			}
		case b == '"':
			inString = true
		case b == '{' || b == '[':
			if depth++; depth > limit {
				return true
			}
		case b == '}' || b == ']':
			depth--
		}
	}
	return false
}

// syntaxError returns the position and cause of the library's error, without the
// caller's input.
func syntaxError(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return errors.New("JSON ends too early")
	}
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		if errors.Is(syntax.Err, jsontext.ErrDuplicateName) {
			return fmt.Errorf("an object has the same name twice, at byte %d", syntax.ByteOffset)
		}
		return fmt.Errorf("not strict JSON at byte %d", syntax.ByteOffset)
	}
	var semantic *json.SemanticError
	if errors.As(err, &semantic) {
		return fmt.Errorf("wrong type of value in JSON at byte %d", semantic.ByteOffset)
	}
	return err
}

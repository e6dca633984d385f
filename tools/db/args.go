package db

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	strict "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// argument is one argument of a tool.
type argument struct {
	name     string
	into     any // *string, *bool, *int or *rowset.Format
	required bool
}

// decode reads a call's arguments into their places. projectRoot belongs to
// the hop and is taken without being looked at. An error names the argument,
// and for an unknown one those known.
func decode(raw json.RawMessage, arguments ...argument) error {
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	var given map[string]jsontext.Value
	if err := strict.Unmarshal(raw, &given); err != nil {
		return pool.Usagef("Error: the arguments are not one JSON object without duplicate names")
	}
	known := []string{"projectRoot"}
	for _, a := range arguments {
		known = append(known, a.name)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(known, name) {
			// No guess at which was meant: of so few names the nearest is
			// mostly a wrong one.
			return pool.Usagef("Error: unknown argument %s; known: %s", replytext.Quote(name), strings.Join(known, ", "))
		}
	}
	for _, a := range arguments {
		value, ok := given[a.name]
		if !ok || value.Kind() == 'n' {
			if a.required {
				return pool.Usagef("Error: the argument %s is missing", a.name)
			}
			continue
		}
		if err := assign(a, value); err != nil {
			return err
		}
	}
	return nil
}

func assign(a argument, value jsontext.Value) error {
	switch into := a.into.(type) {
	case *string:
		if strict.Unmarshal(value, into) != nil || value.Kind() != '"' {
			return pool.Usagef("Error: the argument %s must be a string", a.name)
		}
		if a.required && strings.TrimSpace(*into) == "" {
			return pool.Usagef("Error: the argument %s is empty", a.name)
		}
		if a.name != "query" && a.name != "statement" && strings.ContainsRune(*into, 0) {
			return pool.Usagef("Error: the argument %s has a NUL character", a.name)
		}
	case *bool:
		if strict.Unmarshal(value, into) != nil {
			return pool.Usagef("Error: the argument %s must be true or false", a.name)
		}
	case *int:
		if strict.Unmarshal(value, into) != nil {
			return pool.Usagef("Error: the argument %s must be a whole number", a.name)
		}
	case *rowset.Format:
		format, err := fileFormat(value)
		*into = format
		return err
	default:
		panic(fmt.Sprintf("argument %s has no decoder for %T", a.name, a.into))
	}
	return nil
}

// fileFormat decodes the argument toFile: true means CSV.
func fileFormat(value jsontext.Value) (rowset.Format, error) {
	switch string(value) {
	case "true", `"csv"`:
		return rowset.CSV, nil
	case "false":
		return rowset.None, nil
	case `"jsonl"`:
		return rowset.Lines, nil
	default:
		return rowset.None, pool.Usagef(`Error: the argument toFile must be true, false, "csv" or "jsonl"`)
	}
}

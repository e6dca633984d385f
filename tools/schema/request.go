package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
)

// request is one call in the contract's words.
type request struct {
	Operation      string         `json:"operation"`
	ProjectRoot    string         `json:"projectRoot"`
	ConnectionID   string         `json:"connectionId"`
	ConnectionName string         `json:"connectionName"`
	Payload        payload        `json:"payload"`
	Options        requestOptions `json:"options"`
}

type payload struct {
	Table           *designer.TableRef `json:"table"`
	ExpectedVersion string             `json:"expectedVersion"`
	TargetHint      *targetHint        `json:"targetHint"`
	Edits           jsontext.Value     `json:"edits"`
	Steps           *int               `json:"steps"`
	Batch           bool               `json:"batch"`
	Format          string             `json:"format"`
	Path            string             `json:"path"`
	Dialect         string             `json:"dialect"`
	Choices         []conflictChoice   `json:"choices"`
	PlanID          string             `json:"planId"`
	To              string             `json:"to"`
}

type requestOptions struct {
	IncludeColumns     string   `json:"includeColumns"`
	IncludeForeignKeys bool     `json:"includeForeignKeys"`
	IncludeOverview    bool     `json:"includeOverview"`
	Columns            []string `json:"columns"`
	Pattern            string   `json:"pattern"`
	Offset             int      `json:"offset"`
	Limit              *int     `json:"limit"`
	Atomic             bool     `json:"atomic"`
	DryRun             bool     `json:"dryRun"`
	Overwrite          bool     `json:"overwrite"`
	Owners             bool     `json:"owners"`
}

// The values of options.includeColumns.
const (
	columnsNone  = "none"
	columnsNames = "names"
	columnsTypes = "namesAndTypes"
	columnsFull  = "full"
)

// decodeRequest reads a call strictly: the operation first, so that a caller
// of the older tool learns its successor rather than the first stray field;
// then every field by name, against those the operation takes; then values.
// reads says that the caller may only read.
func decodeRequest(raw json.RawMessage, reads bool) (*request, *failure) {
	var head struct {
		Operation *string `json:"operation"`
	}
	if err := jsonv2.Unmarshal(raw, &head); err != nil {
		return nil, invalid("%s", valueProblem(err))
	}
	if head.Operation == nil {
		return nil, invalid("operation is missing").near(operationNames()...)
	}
	if !knownOperation(*head.Operation) {
		return nil, unknownOperation(*head.Operation)
	}
	if reads && !slices.Contains(catalog.ReadingOperations(), *head.Operation) {
		return nil, invalid("%s only reads: call %s for %s", catalog.SchemaReader, catalog.SchemaDesigner, *head.Operation).
			near(catalog.ReadingOperations()...)
	}
	fields, err := fieldNames(raw)
	if err != nil {
		return nil, invalid("%s", valueProblem(err))
	}
	if refused := checkFields(*head.Operation, fields); refused != nil {
		return nil, refused
	}
	r := &request{}
	if err := jsonv2.Unmarshal(raw, r, jsonv2.RejectUnknownMembers(true)); err != nil {
		return nil, invalid("%s", valueProblem(err))
	}
	return r, r.checkValues()
}

// checkValues refuses values outside their range and fills in defaults.
func (r *request) checkValues() *failure {
	o := &r.Options
	if o.IncludeColumns == "" {
		o.IncludeColumns = columnsTypes
	}
	allowed := []string{columnsNone, columnsNames, columnsTypes}
	if r.Operation == opGetTable {
		allowed = append(allowed, columnsFull)
	}
	if !slices.Contains(allowed, o.IncludeColumns) {
		return invalid("options.includeColumns cannot be %s; %s takes %s",
			quote(o.IncludeColumns), r.Operation, strings.Join(allowed, ", "))
	}
	if o.Offset < 0 {
		return invalid("options.offset cannot be negative: %d", o.Offset)
	}
	if o.Limit != nil && *o.Limit < 1 {
		return invalid("options.limit must be at least 1: %d", *o.Limit)
	}
	if s := r.Payload.Steps; s != nil && *s < 1 {
		return invalid("payload.steps must be at least 1: %d", *s)
	}
	if r.Payload.Steps != nil && r.Payload.Batch {
		return invalid("give payload.steps or payload.batch, not both")
	}
	return nil
}

// fieldNames lists the dotted names of the fields of a call, in the caller's
// order: those at the top, in payload and in options.
func fieldNames(raw json.RawMessage) ([]string, error) {
	var names []string
	top, err := members(raw)
	if err != nil {
		return nil, err
	}
	for _, m := range top {
		names = append(names, m.name)
		if (m.name != "payload" && m.name != "options") || m.value.Kind() != '{' {
			continue // a value of another kind is refused when it is decoded
		}
		inner, err := members(json.RawMessage(m.value))
		if err != nil {
			return nil, err
		}
		for _, i := range inner {
			names = append(names, m.name+"."+i.name)
		}
	}
	return names, nil
}

type member struct {
	name  string
	value jsontext.Value
}

// members reads a JSON object's members in order.
func members(raw json.RawMessage) ([]member, error) {
	dec := jsontext.NewDecoder(strings.NewReader(string(raw)))
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	var all []member
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		m := member{name: name.String()}
		value, err := dec.ReadValue()
		if err != nil {
			return nil, err
		}
		m.value = value.Clone()
		all = append(all, m)
	}
	return all, nil
}

// valueProblem words a decoding error for a model: which field, and what it
// must be.
func valueProblem(err error) string {
	var semantic *jsonv2.SemanticError
	if !errors.As(err, &semantic) {
		return "the arguments are not strict JSON"
	}
	field := strings.ReplaceAll(strings.TrimPrefix(string(semantic.JSONPointer), "/"), "/", ".")
	if errors.Is(err, jsonv2.ErrUnknownName) {
		return fmt.Sprintf("unknown field %s", shortName(field))
	}
	if field == "" {
		return "the arguments must be a JSON object"
	}
	return fmt.Sprintf("%s must be %s", shortName(field), tools.TypeWord(semantic.GoType))
}

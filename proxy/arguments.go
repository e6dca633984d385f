package proxy

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/proxy/wire"
)

// projectRoot returns the projectRoot in args, the only argument the front-end
// needs. It checks args as strictly as the instance does. If there is no usable
// projectRoot, refused is the message for the caller.
func projectRoot(args json.RawMessage) (root, refused string) {
	if len(args) == 0 || string(args) == "null" { // some clients write null for none
		args = json.RawMessage("{}")
	}
	if jsontext.Value(args).Kind() != '{' {
		return "", "Error: arguments must be a JSON object"
	}
	var named struct {
		ProjectRoot jsontext.Value `json:"projectRoot"`
	}
	if err := wire.Decode(args, wire.MaxDepth, wire.MaxRequestBytes, &named); err != nil {
		return "", "Error: invalid arguments: " + err.Error()
	}
	switch named.ProjectRoot.Kind() {
	case '"':
	case 0:
		return "", "Error: projectRoot is missing: every call takes the absolute path of the project"
	default:
		return "", "Error: projectRoot must be a string: the absolute path of the project"
	}
	text, err := jsontext.AppendUnquote(nil, named.ProjectRoot)
	if err != nil {
		return "", "Error: invalid arguments: projectRoot is not a JSON string"
	}
	return string(text), ""
}

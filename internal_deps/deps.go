package deps

import (
	_ "github.com/fsnotify/fsnotify"
	_ "github.com/go-json-experiment/json"
	_ "github.com/go-json-experiment/json/jsontext"
	_ "github.com/goccy/go-yaml"
	_ "github.com/goccy/go-yaml/parser"
	_ "github.com/gofrs/flock"
	_ "github.com/google/uuid"
	_ "github.com/modelcontextprotocol/go-sdk/mcp"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/spf13/cobra"
	_ "github.com/stretchr/testify/assert"
	_ "github.com/stretchr/testify/require"
	_ "github.com/tailscale/hujson"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/sys/execabs"
	_ "modernc.org/sqlite"
	_ "modernc.org/sqlite/lib"
	_ "pgregory.net/rapid"
)

package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/berth-dev/berth/e2e/bench/driver"
)

const (
	berthName      = "berth"
	smallName      = "berth, small front-end"
	bareName       = "bare SDK server"
	dbhubName      = "DBHub"
	toolboxName    = "MCP Toolbox"
	postgresName   = "server-postgres"
	filesystemName = "server-filesystem"
	ripgrepName    = "ripgrep"
)

// server is an MCP server that is measured: how it is opened for a kind of
// work, nil for work that it does not do.
type server struct {
	name string
	program
	// start opens it on nothing; database opens it on a database, and folder
	// on a folder of files.
	start    func(context.Context) (*session, error)
	database func(context.Context, *database) (*session, error)
	folder   func(ctx context.Context, dir string) (*session, error)
	// echo opens it where all it can do is answer as many bytes.
	echo func(context.Context, *database) (*session, error)
}

// session is a running server after its handshake.
type session struct {
	*driver.Client
	words
	instance int           // the process beside the client's own; 0: none
	first    driver.Reply  // to initialize
	started  time.Duration // from the start of the process to first
	close    func()
}

// words are a server's names for what is asked of it, nil for what it does not
// have.
type words struct {
	tables   func() driver.Call
	describe func(table string) driver.Call
	query    func(sql string) driver.Call
	names    func(glob string) driver.Call
	read     func(path string) driver.Call
	edit     func(path, old, new string, read driver.Reply) driver.Call
	search   func(text string) driver.Call
	echo     func(text string) driver.Call
}

// servers are all that are measured, berth first.
func (p programs) servers(dir string) []server {
	b, small := berth{program: p.berth, dir: dir}, berth{program: p.small, dir: dir}
	return []server{
		{name: berthName, program: p.berth, start: b.alone, database: b.onDatabase, folder: b.onFolder},
		{name: smallName, program: p.small, start: small.alone, database: small.onDatabase},
		{name: bareName, program: p.bare, start: p.bare.onNothing,
			echo: func(ctx context.Context, _ *database) (*session, error) { return p.bare.onNothing(ctx) }},
		{name: dbhubName, program: p.dbhub, database: p.dbhub.onDSN},
		{name: toolboxName, program: p.toolbox, database: p.toolbox.prebuilt},
		{name: postgresName, program: p.postgres, database: p.postgres.onPostgres},
		{name: filesystemName, program: p.filesystem, folder: p.filesystem.onFolder},
	}
}

// open starts a server and makes the handshake.
func (p program) open(ctx context.Context, words words, env []string, args ...string) (*session, error) {
	command := driver.Command{Path: p.path, Args: append(append([]string(nil), p.args...), args...), Env: append(os.Environ(), env...)}
	began := time.Now()
	c, err := driver.Start(ctx, command, driver.Options{})
	if err != nil {
		return nil, err
	}
	first, err := c.Handshake()
	if err != nil {
		c.Kill()
		return nil, err
	}
	return &session{Client: c, words: words, first: first, started: time.Since(began), close: c.Kill}, nil
}

// onNothing opens the bare server.
func (p program) onNothing(ctx context.Context) (*session, error) {
	return p.open(ctx, words{echo: func(text string) driver.Call {
		return driver.Call{Tool: "echo", Args: map[string]any{"text": text}}
	}}, nil)
}

// onDSN opens DBHub as it starts by default: its execute_sql may write.
func (p program) onDSN(ctx context.Context, d *database) (*session, error) {
	return p.open(ctx, dbhubWords, nil, "--transport", "stdio", "--dsn", d.dsn(map[string]string{mariaDB: "mariadb"}))
}

var dbhubWords = words{
	tables: func() driver.Call {
		return driver.Call{Tool: "search_objects", Args: map[string]any{"object_type": "table", "limit": 1000}}
	},
	describe: func(table string) driver.Call {
		return driver.Call{Tool: "search_objects", Args: map[string]any{"object_type": "table", "pattern": table, "detail_level": "full"}}
	},
	query: sqlQuery("execute_sql"),
}

// readOnlyDBHub opens DBHub with its setting for an execute_sql that reads
// only.
func (p program) readOnlyDBHub(dir string) func(context.Context, *database) (*session, error) {
	return func(ctx context.Context, d *database) (*session, error) {
		config := fmt.Sprintf("[[sources]]\nid = \"app\"\ndsn = %q\n\n[[tools]]\nname = \"execute_sql\"\nsource = \"app\"\nreadonly = true\n",
			d.dsn(map[string]string{mariaDB: "mariadb"}))
		path := filepath.Join(dir, "dbhub.toml")
		if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
			return nil, err
		}
		return p.open(ctx, dbhubWords, nil, "--transport", "stdio", "--config", path)
	}
}

// onPostgres opens the archived reference server. Its one tool is a query.
func (p program) onPostgres(ctx context.Context, d *database) (*session, error) {
	if d.kind != postgreSQL {
		return nil, errNotItsWork
	}
	return p.open(ctx, words{query: sqlQuery("query")}, nil, d.dsn(nil))
}

func sqlQuery(tool string) func(string) driver.Call {
	return func(sql string) driver.Call { return driver.Call{Tool: tool, Args: map[string]any{"sql": sql}} }
}

// prebuilt opens MCP Toolbox with the tools that it brings for a database.
func (p program) prebuilt(ctx context.Context, d *database) (*session, error) {
	w := words{
		tables: func() driver.Call {
			return driver.Call{Tool: "list_tables", Args: map[string]any{"table_names": "", "output_format": "simple"}}
		},
		describe: func(table string) driver.Call {
			return driver.Call{Tool: "list_tables", Args: map[string]any{"table_names": table, "output_format": "detailed"}}
		},
		query: sqlQuery("execute_sql"),
	}
	if d.kind == sqlite {
		return p.open(ctx, w, []string{"SQLITE_DATABASE=" + d.path}, "--stdio", "--prebuilt", "sqlite")
	}
	name := map[string]string{postgreSQL: "postgres", mariaDB: "mysql"}[d.kind]
	password, _ := d.url.User.Password()
	var env []string
	for key, value := range map[string]string{"HOST": d.url.Hostname(), "PORT": d.url.Port(), "USER": d.url.User.Username(),
		"PASSWORD": password, "DATABASE": strings.TrimPrefix(d.url.Path, "/")} {
		env = append(env, strings.ToUpper(name)+"_"+key+"="+value)
	}
	return p.open(ctx, w, env, "--stdio", "--prebuilt", name)
}

// onFolder opens the reference server for files.
func (p program) onFolder(ctx context.Context, dir string) (*session, error) {
	path := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	return p.open(ctx, words{
		names: func(glob string) driver.Call {
			return driver.Call{Tool: "search_files", Args: map[string]any{"path": dir, "pattern": glob}}
		},
		read: func(name string) driver.Call {
			return driver.Call{Tool: "read_text_file", Args: map[string]any{"path": path(name)}}
		},
		edit: func(name, old, new string, _ driver.Reply) driver.Call {
			return driver.Call{Tool: "edit_file", Args: map[string]any{"path": path(name),
				"edits": []any{map[string]any{"oldText": old, "newText": new}}}}
		},
	}, nil, dir)
}

// dsn is the database's address as a URL. schemes names the scheme of a kind
// where it is not the one in general use.
func (d *database) dsn(schemes map[string]string) string {
	if d.kind == sqlite {
		return (&url.URL{Scheme: "sqlite", Path: filepath.ToSlash(d.path)}).String()
	}
	u := *d.url
	if scheme, ok := schemes[d.kind]; ok {
		u.Scheme = scheme
	}
	return u.String()
}

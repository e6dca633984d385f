package discovery

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/lazyregexp"
)

// language says how expressions are written in a language, as far as settings
// need it.
type language struct {
	comments   []string // what begins a comment that the line ends
	block      bool     // comments stand between /* and */ too
	quotes     string
	longQuotes string // of quotes, those whose text may hold line ends
	triple     bool   // three quotes are a quote
	hole       string // begins an expression in a text, which } ends
	holeQuotes string // of quotes, those whose text may have holes
	prefixes   string // letters that may stand before a quote
	adjacent   bool   // texts one behind the other are one
	dollars    bool   // variables begin with $, in texts too
	backslash  bool   // a backslash joins lines
	letters    string // of names, beside those of all languages

	braces    bool // { begins an object
	shorthand bool // {name} is {name: name}, new and ! mean nothing to a value
	atoms     bool // :name is a text, [name: value] an object
	keywords  bool // arguments may be named
	dots      bool // a dot takes a member

	fallback []string // operators: the right side where the left is nothing
	join     []string // operators that join texts, or paths
	casts    []string // words behind a value that change nothing

	environments []string // names whose members are variables of the environment
	// definition matches where a file says what a name is; its group ends
	// before the value.
	definition func(name string) *regexp.Regexp
	// unpacked is what a name stands for that was taken out of an object.
	unpacked func(c *code, name string) value
	// name is what a name of the language stands for; false: it is none.
	name func(c *code, name string) (value, bool)
	call func(c *code, name string, args arguments) value
}

// words are names that every language has.
func words(name string) (value, bool) {
	switch name {
	case "true", "True", "TRUE":
		return value{kind: flag, text: "true"}, true
	case "false", "False", "FALSE":
		return value{kind: flag, text: "false"}, true
	case "null", "undefined", "None", "nil", "NULL":
		return value{kind: null}, true
	}
	return value{}, false
}

// variableOr is a variable named by the first argument, with what stands in
// for it.
func (c *code) variableOr(args arguments, index int, names ...string) value {
	name, _ := args.first(0, "var", "env", "name", "varname")
	if name.kind != text {
		return value{}
	}
	v := c.environment(name.text)
	if fallback, ok := args.first(index, names...); ok && v.kind == unset {
		return fallback
	}
	return v
}

// joinPath joins parts as the path functions of languages do.
func (c *code) joinPath(parts []value) value {
	v := value{kind: text}
	for i, part := range parts {
		switch {
		case part.kind == unset:
			return part
		case !part.scalar():
			return value{}
		case part.kind == place || i == 0 || part.kind == text && strings.HasPrefix(part.text, "/"):
			v = part
		case v.kind == place:
			v = c.join(v, part)
		default:
			v = value{kind: text, text: path.Join(v.text, part.text)}
		}
	}
	return v
}

// quoted is a name in a pattern. A pattern is UTF-8, and matches a byte that is
// none by U+FFFD.
func quoted(name string) string { return regexp.QuoteMeta(strings.ToValidUTF8(name, "\uFFFD")) }

// javaScript is JavaScript, TypeScript and JSON.
func javaScript() *language {
	return &language{
		comments: []string{"//"}, block: true, quotes: "'\"`", longQuotes: "`", hole: "${", holeQuotes: "`", letters: "$",
		braces: true, shorthand: true, dots: true,
		fallback: []string{"||", "??"}, join: []string{"+"}, casts: []string{"as", "satisfies"},
		environments: []string{"process.env", "Bun.env", "import.meta.env"},
		definition: func(name string) *regexp.Regexp {
			return regexp.MustCompile(`(?m)^[ \t]*(?:export[ \t]+)?(?:(?:const|let|var)[ \t]+)?` + quoted(name) + `[ \t]*(?::[^=\n]*(?:=>[^=\n]*)?)?(=)(?:[^=>]|$)`)
		},
		unpacked: javaScriptUnpacked,
		name:     javaScriptName,
		call:     javaScriptCall,
	}
}

func javaScriptName(c *code, name string) (value, bool) {
	switch name {
	case "__dirname", "import.meta.dirname":
		return value{kind: place, text: path.Dir(c.file)}, true
	case "__filename", "import.meta.url", "import.meta.filename":
		return c.here(), true
	}
	for _, prefix := range []string{"process.env.", "Bun.env.", "import.meta.env."} {
		if variable, ok := strings.CutPrefix(name, prefix); ok {
			return c.environment(variable), true
		}
	}
	// What checks variables gives them back by their names: import { env } from "./env".
	if variable, ok := strings.CutPrefix(name, "env."); ok && variable == strings.ToUpper(variable) {
		if v := c.environment(variable); v.kind == text {
			return v, true
		}
	}
	return words(name)
}

var javaScriptUnpack = lazyregexp.New(`(?:const|let|var)\s*\{([^{}]*)\}\s*=\s*process\.env\b`)

// javaScriptUnpacked reads const { A, B = "x", C: name } = process.env.
func javaScriptUnpacked(c *code, name string) value {
	for _, m := range javaScriptUnpack().FindAllStringSubmatchIndex(c.text, maxNames) {
		at := m[2]
		for part := range strings.SplitSeq(c.text[m[2]:m[3]], ",") {
			declared, _, hasDefault := strings.Cut(part, "=")
			variable, local, renamed := strings.Cut(declared, ":")
			if variable = strings.TrimSpace(variable); !renamed {
				local = variable
			}
			if strings.TrimSpace(local) == name {
				v := c.environment(variable)
				if v.kind == unset && hasDefault {
					r := &codeReader{code: c, at: at + len(declared) + 1, end: at + len(part), open: 1}
					return r.value()
				}
				return v
			}
			at += len(part) + 1
		}
	}
	return value{}
}

func javaScriptCall(c *code, name string, args arguments) value {
	first, ok := args.first(0)
	switch name {
	case "defineConfig", "Object.freeze", "DataSource", "typeorm.DataSource", "Number", "parseInt", "Number.parseInt", "String", "fileURLToPath":
		return first
	case "path.join", "path.resolve", "join", "resolve":
		return c.joinPath(args.list)
	case "path.dirname", "dirname":
		if first.kind == place {
			return value{kind: place, text: path.Dir(first.text)}
		}
	case "process.cwd":
		return value{kind: text}
	case "Deno.env.get", "Env.get":
		return c.variableOr(args, 1)
	case "env":
		if ok && first.kind == text {
			return c.variableOr(args, 1)
		}
	}
	return value{}
}

// python is Python.
func python() *language {
	return &language{
		comments: []string{"#"}, quotes: "'\"", triple: true, prefixes: "rbfu", adjacent: true, backslash: true,
		braces: true, keywords: true, dots: true,
		fallback: []string{"or"}, join: []string{"+", "/"},
		environments: []string{"os.environ", "environ"},
		definition: func(name string) *regexp.Regexp {
			return regexp.MustCompile(`(?m)^` + quoted(name) + `[ \t]*(?::[^=\n]+)?(=)(?:[^=]|$)`)
		},
		name: pythonName,
		call: pythonCall,
	}
}

func pythonName(c *code, name string) (value, bool) {
	if name == "__file__" {
		return c.here(), true
	}
	return words(name)
}

// pythonCall knows the functions of the standard library, of dj-database-url,
// of django-environ and environs, and of python-decouple. What takes a URL
// apart stands for the URL.
func pythonCall(c *code, name string, args arguments) value {
	first, _ := args.first(0)
	switch name {
	case "os.environ.get", "os.getenv", "environ.get", "getenv", "config", "decouple.config", "env", "env.str", "env.int",
		"env.path", "env.get_value":
		return c.variableOr(args, 1, "default")
	case "env.db", "env.db_url", "env.dj_db_url":
		if len(args.list) == 0 && args.named["var"].kind == computed {
			args.list = []value{{kind: text, text: "DATABASE_URL"}}
		}
		return c.variableOr(args, 1, "default")
	case "dj_database_url.config":
		variable, ok := args.named["env"]
		if !ok {
			variable = value{kind: text, text: "DATABASE_URL"}
		}
		return c.variableOr(arguments{list: []value{variable}, named: args.named}, -1, "default")
	case "dj_database_url.parse", "env.db_url_config", "str", "int", "Path", "pathlib.Path", "os.path.abspath", "os.path.realpath", "abspath",
		"os.fspath":
		return first
	case "os.path.join", "join":
		return c.joinPath(args.list)
	case "os.path.dirname", "dirname":
		if first.kind == place {
			return value{kind: place, text: path.Dir(first.text)}
		}
	}
	return value{}
}

// php is PHP.
func php() *language {
	return &language{
		comments: []string{"//", "#"}, block: true, quotes: "'\"", longQuotes: "'\"", dollars: true, letters: "$\\",
		fallback: []string{"?:", "??"}, join: []string{"."},
		environments: []string{"$_ENV", "$_SERVER"},
		definition: func(name string) *regexp.Regexp {
			return regexp.MustCompile(`(?m)^[ \t]*` + quoted(name) + `[ \t]*(=)(?:[^=]|$)`)
		},
		name: func(c *code, name string) (value, bool) {
			if name == "__DIR__" || name == "ABSPATH" {
				return value{kind: place, text: path.Dir(c.file)}, true
			}
			return words(name)
		},
		call: func(c *code, name string, args arguments) value {
			if slices.Contains([]string{"getenv", "getenv_docker", "env"}, strings.TrimPrefix(name, `\`)) {
				return c.variableOr(args, 1)
			}
			return value{}
		},
	}
}

// elixir is Elixir.
func elixir() *language {
	return &language{
		comments: []string{"#"}, quotes: "\"'", longQuotes: "\"'", triple: true, hole: "#{", holeQuotes: `"`, letters: "@!?",
		atoms: true, dots: true,
		fallback: []string{"||"}, join: []string{"<>"},
		definition: func(name string) *regexp.Regexp {
			return regexp.MustCompile(`(?m)^[ \t]*` + quoted(name) + `[ \t]*(=)(?:[^=~>]|$)`)
		},
		name: func(c *code, name string) (value, bool) {
			switch {
			case name == "__DIR__":
				return value{kind: place, text: path.Dir(c.file)}, true
			case name == "__ENV__.file":
				return c.here(), true
			case name[0] >= 'A' && name[0] <= 'Z': // a module
				return value{kind: text, text: name}, true
			}
			return words(name)
		},
		call: elixirCall,
	}
}

func elixirCall(c *code, name string, args arguments) value {
	first, _ := args.first(0)
	switch name {
	case "System.get_env", "System.fetch_env!":
		return c.variableOr(args, 1)
	case "String.to_integer", "to_string":
		return first
	case "Path.expand":
		if base, ok := args.first(1); ok {
			return c.joinPath([]value{base, first})
		}
		return first
	case "Path.join":
		if first.kind == list {
			return c.joinPath(first.items)
		}
		return c.joinPath(args.list)
	case "Path.dirname":
		if first.kind == place {
			return value{kind: place, text: path.Dir(first.text)}
		}
	}
	return value{}
}

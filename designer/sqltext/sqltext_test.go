package sqltext_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/sqltext"
)

var kindNames = map[sqltext.Kind]string{sqltext.Illegal: "illegal", sqltext.Space: "space", sqltext.Comment: "comment", sqltext.Program: "program", sqltext.Word: "word",
	sqltext.Quoted: "quoted", sqltext.String: "string", sqltext.Number: "number", sqltext.Parameter: "variable", sqltext.Operator: "op"}

// told is the significant tokens as kind:text, and =name where the name is
// not the text.
func told(all []sqltext.Token) string {
	var b []string
	for _, t := range sqltext.Significant(all) {
		s := kindNames[t.Kind] + ":" + t.Text
		if t.IsName() && t.Name != t.Text {
			s += "=" + t.Name
		}
		b = append(b, s)
	}
	return strings.Join(b, " ")
}

func strict(r sqltext.Rules) sqltext.Rules {
	r.Strict = true
	return r
}

func TestPostgreSQLIsSplitWhereTheServerSplits(t *testing.T) {
	for sql, want := range map[string]string{
		`SELECT a->>'$' FROM "T""x"`:           `word:SELECT=select word:a op:->> string:'$' word:FROM=from quoted:"T""x"=T"x`,
		`'it''s' 'a\' 'b'`:                     `string:'it''s' string:'a\' string:'b'`,
		`E'a\'b' e'\\' X'0f' n'x' B'1'`:        `string:E'a\'b' string:e'\\' string:X'0f' string:n'x' string:B'1'`,
		"E'a'\n'\\'b' 'c'":                     "string:E'a' string:'\\'b' string:'c'",
		"E'a' -- x\n'\\'b'\n'\\'c'":            "string:E'a' string:'\\'b' string:'\\'c'",
		"E'a'/*x\n*/'\\' 'b'\n'\\'":            "string:E'a' string:'\\' string:'b' string:'\\'",
		`U&'\0041' U&"p\0067\+00005f" u&"a\\"`: `string:U&'\0041' quoted:U&"p\0067\+00005f"=pg_ quoted:u&"a\\"=a\`,
		`U&"!0070" UESCAPE '!'`:                `quoted:U&"!0070"=p word:UESCAPE=uescape string:'!'`,
		`U&"\00" U&"\d83d\de00"`:               `illegal:U&"\00" illegal:U&"\d83d\de00"`,
		`U&"!0070" UESCAPE E'!'`:               `illegal:U&"!0070" word:UESCAPE=uescape string:E'!'`,
		"$$;$$ $a$ $$ $a$ a$b$ $1":             "string:$$;$$ string:$a$ $$ $a$ word:a$b$ variable:$1",
		"$a$ $A$":                              "illegal:$a$ $A$",
		"$":                                    "illegal:$",
		"a/* /* ; */ ; */b--;\rc":              "word:a word:b word:c",
		"/* /* */":                             "illegal:/* /* */",
		"1+-2 1*-- x\n@-3 a/*c*/b":             "number:1 op:+ op:- number:2 number:1 op:* op:@- number:3 word:a word:b",
		"a::int[1:2]":                          "word:a op::: word:int op:[ number:1 op:: number:2 op:]",
		"1.5e-3 .5 0x1F 1_000 1..2":            "number:1.5e-3 number:.5 number:0x1F number:1_000 number:1 op:.. number:2",
		"1INTO":                                "illegal:1INTO",
		`"" 'open`:                             `illegal:"" illegal:'open`,
		"é_1 ÄB":                               "word:é_1 word:ÄB=Äb",
		`a\b`:                                  `word:a illegal:\ word:b`,
		"'a\x00b'":                             "illegal:'a\x00b'",
		"tags@>b data#>>'{k}'":                 "word:tags op:@> word:b word:data op:#>> string:'{k}'",
	} {
		assert.Equal(t, want, told(sqltext.PostgreSQL().Tokens(sql)), sql)
		assert.Equal(t, want, told(strict(sqltext.PostgreSQL()).Tokens(sql)), "%s, strictly", sql)
	}
	long := strings.Repeat("é", 40)
	assert.Equal(t, long[:62], sqltext.PostgreSQL().Tokens(long)[0].Name, "63 bytes, at a character")
}

func TestMySQLIsSplitWhereTheServerSplits(t *testing.T) {
	for sql, want := range map[string]string{
		`SELECT "a""b\"c" 'x''y\'z'`:         `word:SELECT string:"a""b\"c" string:'x''y\'z'`,
		"`a``b\\` $x":                        "quoted:`a``b\\`=a`b\\ word:$x",
		"1--1 -- x\n#y\n--\tz\n2--":          "number:1 op:- op:- number:1 number:2",
		"/* a */ /*! b */ /*M! c */ /*+ d*/": "program:/*! b */ program:/*M! c */ program:/*+ d*/",
		"/* /* */ ; */":                      "illegal:/* /* */ op:; op:* op:/",
		"/*!50000 x":                         "illegal:/*!50000 x",
		"@a @'b' @`c` @@global.d @@`e` @":    "variable:@a variable:@'b' variable:@`c` variable:@@global.d variable:@@`e` variable:@",
		"a:=1 a->>'$' a<=>b ?":               "word:a op::= number:1 word:a op:->> string:'$' word:a op:<=> word:b variable:?",
		"x'0f' b'1' N'a' _utf8'b' 0x1f 1e5":  "string:x'0f' string:b'1' string:N'a' word:_utf8= string:'b' number:0x1f number:1e5",
		"1INTO 1abc 1e":                      "illegal:1INTO illegal:1abc illegal:1e",
		`\N 'a\`:                             `illegal:\ word:N illegal:'a\`,
	} {
		assert.Equal(t, want, told(strict(sqltext.MySQL()).Tokens(sql)), sql)
	}
	for sql, want := range map[string]string{
		"/* /* */ ; ":          "op:;",
		"1abc 1e 1.5a":         "word:1abc word:1e number:1.5 word:a",
		`\N`:                   `op:\N`,
		"_utf8 'a' _utf8 + _x": "word:_utf8= string:'a' word:_utf8= op:+ word:_x",
		"/*!50000 x */y":       "program:/*!50000 x */ word:y",
	} {
		assert.Equal(t, want, told(sqltext.MySQL().Tokens(sql)), sql)
	}
}

func TestServerModesAreRulesOfTheirOwn(t *testing.T) {
	r := sqltext.MySQL()
	r.NameQuotes, r.StringQuotes = "`\"", "'" // ANSI_QUOTES
	assert.Equal(t, `quoted:"a""b"=a"b string:'c\'d'`, told(r.Tokens(`"a""b" 'c\'d'`)))
	r = sqltext.MySQL()
	r.Backslashes = false // NO_BACKSLASH_ESCAPES
	assert.Equal(t, `string:'a\' word:b string:N'\'`, told(r.Tokens(`'a\' b N'\'`)))
	r = sqltext.MySQL()
	r.ReadPrograms = true
	assert.Equal(t, "program:/*!50000 word:x op:* number:2 program:*/ word:y program:/*M!100 word:z", told(r.Tokens("/*!50000 x * 2 */ y /*M!100 z")))
}

func TestTSQLIsSplitWhereTheServerSplits(t *testing.T) {
	for sql, want := range map[string]string{
		"SELECT [a]]b] \"c\"\"d\" 'e''f' N'g'": `word:SELECT quoted:[a]]b]=a]b quoted:"c""d"=c"d string:'e''f' string:N'g'`,
		"a/* /* ; */ ; */b--;\r\nc":            "word:a word:b word:c",
		"a--;\rb":                              "word:a illegal:--;\rb",
		"@x @@y #t ##g a.b$c":                  "variable:@x variable:@@y word:#t word:##g word:a op:. word:b$c",
		"1.5e3 0xFF 0x+1":                      "number:1.5e3 number:0xFF number:0x op:+ number:1",
		"1INTO 0xINTO 1eINTO 1@x":              "illegal:1INTO illegal:0xINTO illegal:1eINTO illegal:1@x",
		"a\u00a0b\u3000c\x01d":                 "word:a word:b word:c word:d",
		"ＳＥＬＥＣＴ $1 ？":                          "word:ＳＥＬＥＣＴ illegal:$ number:1 illegal:？",
		"[open":                                "illegal:[open",
	} {
		assert.Equal(t, want, told(strict(sqltext.TSQL()).Tokens(sql)), sql)
	}
	for sql, want := range map[string]string{
		"a--;\rb":         "word:a",
		"1INTO 1@x":       "number:1 word:INTO number:1 variable:@x",
		"$1.5 £2 $action": "number:$1.5 number:£2 word:$action=",
	} {
		assert.Equal(t, want, told(sqltext.TSQL().Tokens(sql)), sql)
	}
}

// A dump of binary values holds zero bytes. The strict reader takes none: not
// every program between berth and a server does.
func TestAMySQLStringMayHoldAZeroByte(t *testing.T) {
	for sql, want := range map[string]string{
		"'a\x00b';x _binary\"\x00\" n'\x00'": "string:'a\x00b' op:; word:x word:_binary= string:\"\x00\" string:n'\x00'",
		"a\x00b":                             "word:a illegal:\x00 word:b",
		"`a\x00b`":                           "illegal:`a\x00b`",
	} {
		assert.Equal(t, want, told(sqltext.MySQL().Tokens(sql)), sql)
	}
	assert.Equal(t, "illegal:'a\x00b'", told(strict(sqltext.MySQL()).Tokens("'a\x00b'")))
}

func TestSQLiteIsSplitWhereItSplits(t *testing.T) {
	for sql, want := range map[string]string{
		"SELECT  a->>'$'":                "word:SELECT word:a op:->> string:'$'",
		`'it''s'"a""b"`:                  `string:'it''s' quoted:"a""b"=a"b`,
		"[a]][b] `c``d`":                 "quoted:[a]=a illegal:] quoted:[b]=b quoted:`c``d`=c`d",
		"--x;\n;":                        "op:;",
		"/*/*;*/;*/":                     "op:; op:* op:/",
		"1/*;":                           "number:1",
		"/*":                             "op:/ op:*",
		`'a";`:                           `illegal:'a";`,
		"x'0a'X'0' x'q":                  "string:x'0a' illegal:X'0' illegal:x'q",
		"1 1.5e-3 .5 0xFF 1_000 1e 1..2": "number:1 number:1.5e-3 number:.5 number:0xFF number:1_000 illegal:1e number:1. number:.2",
		"?1 :a @b $c::d(e) $ #f $g(h":    "variable:?1 variable::a variable:@b variable:$c::d(e) illegal:$ variable:#f illegal:$g(h",
		"a\x00;b":                        "word:a illegal:\x00;b",
		"'a\x00'":                        "illegal:'a illegal:\x00'",
		"--a\x00b":                       "illegal:\x00b",
		"a/*b\x00c*/":                    "word:a illegal:\x00c*/",
		" \v\v":                          "",
		"\v":                             "illegal:\v",
		"\ufeffé":                        "word:é",
		"a#1 a@b":                        "word:a variable:#1 word:a variable:@b",
		"0x 0x_1":                        "illegal:0x illegal:0x_1",
		"a == b <> c << 1 || d ! e":      "word:a op:== word:b op:<> word:c op:<< number:1 op:|| word:d illegal:! word:e",
		"'it''s'":                        "string:'it''s'",
	} {
		assert.Equal(t, want, told(sqltext.SQLite().Tokens(sql)), sql)
	}
	assert.Equal(t, "it's", sqltext.SQLite().Tokens("'it''s'")[0].Name, "a string where a name is wanted")
	assert.True(t, sqltext.SQLite().Tokens("1/*")[2].Kind == sqltext.Operator)
	assert.True(t, sqltext.SQLite().Tokens("1/* ")[1].Unclosed)
}

func TestWhatDoesNotEndSaysSo(t *testing.T) {
	for name, r := range dialects() {
		for _, text := range []string{"'a", "\"a", "/* a "} {
			all := r.Tokens(text)
			require.Len(t, all, 1, "%s %s", name, text)
			assert.True(t, all[0].Unclosed, "%s %s", name, text)
		}
		assert.False(t, r.Tokens("\\")[0].Unclosed, name)
	}
}

func TestWordsAreComparedByASCIIOnly(t *testing.T) {
	assert.True(t, sqltext.PostgreSQL().Tokens("select")[0].Is("SELECT"))
	assert.False(t, sqltext.PostgreSQL().Tokens("ſelect")[0].Is("SELECT"), "a long s is not an s to a server")
	assert.False(t, sqltext.MySQL().Tokens("`select`")[0].Is("SELECT"))
}

func TestANameIsPlainWhereItMeansItself(t *testing.T) {
	for name, want := range map[string]string{"a": "mysql postgres sqlite tsql", "a b": "", "a#b": "tsql", "a@b": "tsql", "a$b": "mysql postgres sqlite tsql", "$a": "mysql",
		"#a": "tsql", "Sum": "mysql sqlite tsql", "1a": "mysql", "": "", "x'": "", "größe": "mysql postgres sqlite tsql", "€": "mysql postgres sqlite", strings.Repeat("a", 64): "mysql sqlite tsql"} {
		var plain []string
		for _, d := range []string{"mysql", "postgres", "sqlite", "tsql"} {
			if dialects()[d].IsPlain(name) {
				plain = append(plain, d)
			}
		}
		assert.Equal(t, want, strings.Join(plain, " "), name)
	}
}

func dialects() map[string]sqltext.Rules {
	return map[string]sqltext.Rules{"postgres": sqltext.PostgreSQL(), "mysql": sqltext.MySQL(), "tsql": sqltext.TSQL(), "sqlite": sqltext.SQLite()}
}

// Whatever the text and the mode, the tokens are the text.
func FuzzTokens(f *testing.F) {
	for _, s := range []string{"SELECT 1;--x", "'a''b' \"c\" `d` [e] x'00'", "/* /* */ */ $a$b$a$ U&\"\\0041\"", "\ufeff\v\x00'", "1e5 0x 1INTO @@a /*!",
		"E'\\'", "/* */ $a::b(c) 0x1_f 1e-5", "E'a'\n'\\''", "$€5 \\N #a", "U&\"!\" UESCAPE '!'", "\xff\xfe'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, sql string) {
		for name, r := range dialects() {
			for mode := range 8 {
				r.Strict, r.ReadPrograms = mode&1 > 0, mode&2 > 0
				if mode&4 > 0 {
					r.NameQuotes, r.StringQuotes, r.Backslashes = "`\"", "'", !r.Backslashes
				}
				requireWhole(t, name, sql, r.Tokens(sql))
			}
		}
	})
}

func requireWhole(t *testing.T, name, sql string, all []sqltext.Token) {
	t.Helper()
	pos := 0
	for _, tok := range all {
		require.NotEmpty(t, tok.Text, name)
		require.Equal(t, pos, tok.Pos, name)
		require.True(t, pos+len(tok.Text) <= len(sql) && sql[pos:pos+len(tok.Text)] == tok.Text, name)
		require.True(t, tok.IsName() || tok.Kind == sqltext.Illegal || tok.Name == "" || tok.Kind == sqltext.String, "%s: %q names %q", name, tok.Text, tok.Name)
		_ = tok.Quote()
		pos = tok.End()
	}
	require.Equal(t, len(sql), pos, name)
}

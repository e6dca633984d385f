package lex

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var kindNames = map[Kind]string{Illegal: "illegal", Space: "space", Comment: "comment", Program: "program", Word: "word",
	Quoted: "quoted", String: "string", Number: "number", Variable: "variable", Operator: "op"}

// told is the significant tokens as kind:text, and =name where the name is
// not the text.
func told(all []Token) string {
	var b []string
	for _, t := range Significant(all) {
		s := kindNames[t.Kind] + ":" + t.Text
		if t.IsName() && t.Name != t.Text {
			s += "=" + t.Name
		}
		b = append(b, s)
	}
	return strings.Join(b, " ")
}

func TestPostgresSplitsWherePostgreSQLSplits(t *testing.T) {
	for sql, want := range map[string]string{
		`SELECT a->>'$' FROM "T""x"`:           `word:SELECT=select word:a op:->> string:'$' word:FROM=from quoted:"T""x"=T"x`,
		`'it''s' 'a\' 'b'`:                     `string:'it''s' string:'a\' string:'b'`,
		`E'a\'b' e'\\' X'0f' n'x' B'1'`:        `string:E'a\'b' string:e'\\' string:X'0f' string:n'x' string:B'1'`,
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
		"1INTO":                                "illegal:1I word:NTO=nto",
		`"" 'open`:                             `illegal:"" illegal:'open`,
		"é_1 ÄB":                               "word:é_1 word:ÄB=Äb",
		`a\b`:                                  `word:a illegal:\ word:b`,
		"'a\x00b'":                             "illegal:'a\x00b'",
	} {
		assert.Equal(t, want, told(Postgres(sql)), sql)
	}
	long := strings.Repeat("é", 40)
	assert.Equal(t, long[:62], Postgres(long)[0].Name, "63 bytes, at a character")
}

func TestMySQLSplitsWhereMySQLSplits(t *testing.T) {
	for sql, want := range map[string]string{
		`SELECT "a""b\"c" 'x''y\'z'`:         `word:SELECT string:"a""b\"c" string:'x''y\'z'`,
		"`a``b\\` $x":                        "quoted:`a``b\\`=a`b\\ word:$x",
		"1--1 -- x\n#y\n--\tz\n2--":          "number:1 op:- op:- number:1 number:2",
		"/* a */ /*! b */ /*M! c */ /*+ d*/": "program:/*! b */ program:/*M! c */ program:/*+ d*/",
		"/* /* */ ; */":                      "illegal:/* /* */ op:; op:* op:/",
		"/*!50000 x":                         "illegal:/*!50000 x",
		"@a @'b' @`c` @@global.d @@`e` @":    "variable:@a variable:@'b' variable:@`c` variable:@@global.d variable:@@`e` variable:@",
		"a:=1 a->>'$' a<=>b ?":               "word:a op::= number:1 word:a op:->> string:'$' word:a op:<=> word:b variable:?",
		"x'0f' b'1' N'a' _utf8'b' 0x1f 1e5":  "string:x'0f' string:b'1' string:N'a' word:_utf8 string:'b' number:0x1f number:1e5",
		"1INTO 1abc 1e":                      "illegal:1I word:NTO illegal:1a word:bc illegal:1e",
		`\N 'a\`:                             `illegal:\ word:N illegal:'a\`,
	} {
		assert.Equal(t, want, told(MySQL(sql)), sql)
	}
}

func TestTSQLSplitsWhereSQLServerSplits(t *testing.T) {
	for sql, want := range map[string]string{
		"SELECT [a]]b] \"c\"\"d\" 'e''f' N'g'": `word:SELECT quoted:[a]]b]=a]b quoted:"c""d"=c"d string:'e''f' string:N'g'`,
		"a/* /* ; */ ; */b--;\r\nc":            "word:a word:b word:c",
		"a--;\rb":                              "word:a illegal:--;\rb",
		"@x @@y #t ##g a.b$c":                  "variable:@x variable:@@y word:#t word:##g word:a op:. word:b$c",
		"1.5e3 0xFF 0x+1":                      "number:1.5e3 number:0xFF number:0x op:+ number:1",
		"1INTO 0xINTO 1eINTO 1@x":              "illegal:1I word:NTO illegal:0xI word:NTO illegal:1e word:INTO illegal:1@ word:x",
		"a\u00a0b\u3000c\x01d":                 "word:a word:b word:c word:d",
		"ＳＥＬＥＣＴ $1 ？":                          "word:ＳＥＬＥＣＴ illegal:$ number:1 illegal:？",
		"[open":                                "illegal:[open",
	} {
		assert.Equal(t, want, told(TSQL(sql)), sql)
	}
}

func TestWordsAreComparedByASCIIOnly(t *testing.T) {
	assert.True(t, Postgres("select")[0].Is("SELECT"))
	assert.False(t, Postgres("ſelect")[0].Is("SELECT"), "a long s is not an s to a server")
	assert.False(t, MySQL("`select`")[0].Is("SELECT"))
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{"SELECT 1;--x", "'a''b' \"c\" `d` [e] x'00'", "/* /* */ */ $a$b$a$ U&\"\\0041\"", "\ufeff\v\x00'", "1e5 0x 1INTO @@a /*!", "E'\\'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, sql string) {
		for name, split := range map[string]func(string) []Token{"Postgres": Postgres, "MySQL": MySQL, "TSQL": TSQL} {
			var b strings.Builder
			for _, tok := range split(sql) {
				require.NotEmpty(t, tok.Text, name)
				require.Equal(t, b.Len(), tok.Pos, name)
				b.WriteString(tok.Text)
			}
			require.Equal(t, sql, b.String(), name)
		}
	})
}

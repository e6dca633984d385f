package discovery

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each of these is what Laravel, dotenv of Node and of Python, or Compose
// make of the line; docs/decisions/0017 counts what libraries do.
func TestAnEnvironmentFileIsReadByteForByte(t *testing.T) {
	for text, want := range map[string]string{
		`P=plain`: `plain`, `export P=x`: `x`, `P = x`: `x`, `  P=x  `: `x`, `P=a b`: `a b`, `P=a=b`: `a=b`, `P=`: ``, `P=""`: ``, "P=a\r\n": `a`,
		`P=a#b`: `a#b`, `P=a #b`: `a`, `P=a #b #c`: `a`, `P= # c`: ``, `P=#b`: `#b`, `P="a #b"`: `a #b`, `P='a #b' # c`: `a #b`, `P="a" # "q"`: `a`,
		`P=p$a`: `p$a`, `P='p$a'`: `p$a`, `P="p$a"`: `p$a`, `P=p$HOME`: `p$HOME`, `P=$`: `$`, `P=p$$w`: `p$$w`, `P="p\$a"`: `p$a`, `P=${`: `${`, `P=${a b}`: `${a b}`, `P=$(id)`: `$(id)`, "P=`id`": `id`,
		"A=1\nP=${A}x": `1x`, "A=1\nP=\"${A}x\"": `1x`, "A=1\nP='${A}x'": `${A}x`, "A=1\nP=\"\\${A}x\"": `${A}x`, "AB=1\nP=$AB/x": `1/x`, "A=1\nP=$Ax": `$Ax`, `P=${N:-d}`: `d`, `P=${N}`: ``, "A=$x\nP=${A}": `$x`, "A='${B}'\nB=1\nP=${A}": `${B}`,
		`P="a\"b"`: `a"b`, `P="ab\""`: `ab"`, `P='a"b'`: `a"b`, `P="a'b"`: `a'b`, `P=a"b`: `a"b`, `P=a'b`: `a'b`, `P="'"`: `'`, `P='""'`: `""`, `P="''"`: `''`, "P=`a'\"b`": `a'"b`, `P="\"\""`: `""`,
		`P=a\b`: `a\b`, `P='a\b'`: `a\b`, `P="a\\b"`: `a\b`, `P="a\wb"`: `a\wb`, `P="a\nb"`: "a\nb", `P=a\nb`: `a\nb`, `P='a\'`: `a\`, `P="\\n"`: `\n`, `P="\\\$"`: `\$`,
		"P=\"a\nb\"": "a\nb", "P='a\n b\n'": "a\n b\n", "P=\"  a \"": `  a `, `P=é漢`: `é漢`, `P=%41+@:/?&`: `%41+@:/?&`, "bad line\nP=x": `x`, "Q=\"open\nP=x": `x`, "Q='a' junk\nP=x": `x`, "P=1\nP=2": `2`, "# P=1\nP=2": `2`, "A-B=1\nP=2": `2`,
	} {
		t.Run(text, func(t *testing.T) {
			values := map[string]string{}
			for _, s := range parseDotenv([]byte(text), func(string) (string, bool) { return "", false }) {
				values[s.name] = s.value
			}
			require.Contains(t, values, "P")
			assert.Equal(t, want, values["P"])
		})
	}
}

func TestTheProcesssEnvironmentIsNotRead(t *testing.T) {
	t.Setenv("DB_SECRET_OF_THE_PROCESS", "hunter2")
	list := parseDotenv([]byte("P=$DB_SECRET_OF_THE_PROCESS${DB_SECRET_OF_THE_PROCESS}\n"), func(string) (string, bool) { return "", false })
	require.Len(t, list, 1)
	assert.Equal(t, "$DB_SECRET_OF_THE_PROCESS", list[0].value)
}

func TestLinesAreCounted(t *testing.T) {
	list := parseDotenv([]byte("# c\n\nA=\"x\ny\nz\"\nbroken\nB=1\r\nC='open\nD=1"), func(string) (string, bool) { return "", false })
	lines := map[string]int{}
	for _, s := range list {
		lines[s.name] = s.line
	}
	assert.Equal(t, map[string]int{"A": 3, "B": 7, "D": 9}, lines)
}

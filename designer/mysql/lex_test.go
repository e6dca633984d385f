package mysql

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

func FuzzTheTokensOfATextAreTheText(f *testing.F) {
	for _, seed := range []string{"SELECT 'a''b\\'c' -- x\n# y\n/* z */ `q``r` 1.5e3 /*!40101 SET x */", "'", "`", "/*", "/*!", "--", "\xff\x00é", "a.b(c)"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		require.Equal(t, text, textOf(scan(text)))
		for range 2 { // taking parentheses away ends
			text = bare(text)
		}
		assert.Equal(t, text, bare(text))
	})
}

func FuzzAStringIsReadAsItWasWritten(f *testing.F) {
	for _, seed := range []string{"", "it's", `a\b`, "\x00", `\`, "'", "é\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		quoted := quoteString(value)
		tokens := scan(quoted)
		require.Len(t, tokens, 1)
		got, ok := unquote(tokens[0].text)
		require.True(t, ok)
		assert.Equal(t, value, got)
		name := quoteName(value)
		if tokens := scan(name); value != "" && assert.Len(t, tokens, 1) {
			assert.Equal(t, value, tokens[0].name())
		}
	})
}

func FuzzATypeIsReadAsItIsRendered(f *testing.F) {
	for _, seed := range []string{"int(10) unsigned", "enum('a','b''c')", "decimal(10,2)", "varchar(20)", "timestamp(3) with time zone", "set(", "x(1,2) y", "float(7,2) unsigned zerofill"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var c, again designer.Column
		setType(&c, text)
		if _, known := typeNamed(c.DataType); !known {
			return
		}
		setType(&again, typeOf(c))
		assert.Equal(t, c.DataType, again.DataType, text)
		assert.Equal(t, c.Values, again.Values, text)
	})
}

func FuzzALoadedScriptNamesNoOtherDatabase(f *testing.F) {
	for _, seed := range []string{
		"CREATE TABLE a (id int); DROP TABLE x.y;", "USE x; DROP TABLE x.y, z.w", "/*!50003 CREATE*/ /*!50017 DEFINER=`a`@`b`*/ /*!50003 TRIGGER t BEFORE INSERT ON x.y FOR EACH ROW SET @a=1 */",
		"DELIMITER $$\nCREATE PROCEDURE p() BEGIN SELECT 1; END$$\nDELIMITER ;\nSELECT 1", "ALTER TABLE a RENAME b.c", "DROP TABLE `", "SET x", "RENAME TABLE a TO b . c",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, script string) {
		list, err := definitions(script, &designer.Loaded{})
		if err != nil {
			return
		}
		for _, d := range list {
			words := code(scan(d.text))
			require.NotEmpty(t, words)
			assert.NotContains(t, []string{"INSERT", "DELETE", "UPDATE", "GRANT", "USE"}, strings.ToUpper(words[0].text))
			assert.Empty(t, reachesOut(words))
		}
	})
}

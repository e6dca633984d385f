package mysql

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/designer"
)

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

func TestAFractionIsNoWidth(t *testing.T) {
	for text, want := range map[string]string{"float(7.2)": "float", "int(1.5)": "int", "float(53)": "double", "int(11)": "int"} {
		name, args, _, ok := splitType(text)
		assert.True(t, ok, text)
		assert.Equal(t, want, name, text)
		assert.Equal(t, text == "float(7.2)" || text == "int(1.5)", len(args) == 1, "%s: %v", text, args)
	}
}

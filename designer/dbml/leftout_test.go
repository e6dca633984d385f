package dbml

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatADefinitionHasNoPlaceForIsTold(t *testing.T) {
	loaded, err := Parse(`Project shop [color: #fff] {
  database_type: 'PostgreSQL'
  Note: 'ours'
}
TableGroup core { users }
Note reminder {
  'ask Ann'
}
Enum mood { good [note: 'fine'] }
Table users [headercolor: #123456, note: 'kept'] {
  id int [pk, note: 'kept']
  boss int
  indexes { boss [note: 'for the tree'] }
  checks { `+"`id > 0` [note: 'always']"+` }
  records { 1, 2 }
}
Records users(id, boss) { 2, 1 }
DiagramView all { tables { * } }
Ref: users.boss > users.id [inactive, note: 'later']
`, typesDialect())
	require.NoError(t, err)
	var told []string
	for _, l := range loaded.LeftOut {
		told = append(told, l.String())
	}
	assert.Equal(t, []string{"2 colors are left out", "1 Project setting is left out: Note", "1 table group is left out: core",
		"1 sticky note is left out: reminder", "1 enum note is left out", "1 index note is left out", "1 check note is left out",
		"2 records blocks are left out: users", "1 diagram view is left out: all", "1 Ref note is left out", "1 inactive Ref is left out: users to users"}, told)
	assert.Equal(t, "kept", loaded.Tables[0].Comment)
	assert.Equal(t, "kept", loaded.Tables[0].Columns[0].Comment)
}

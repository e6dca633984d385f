package driver

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/schemas"
)

// What is read for one table makes the text that the whole schema makes.
func TestOneTableHasTheTextThatItHasInTheWholeSchema(t *testing.T) {
	everything, err := os.ReadFile("../../../designer/postgres/testdata/everything.sql")
	require.NoError(t, err)
	own := []string{string(everything), `CREATE SCHEMA "a.b"; CREATE TABLE "a.b"."c.d" (id int); CREATE SCHEMA other;
		CREATE TYPE other.z_kind AS ENUM ('a'); CREATE DOMAIN other.a_kind AS other.z_kind; CREATE SEQUENCE other.free;
		CREATE TABLE other.kinds (a other.a_kind, z other.z_kind, list other.z_kind[], n int DEFAULT nextval('other.free'), s serial, CONSTRAINT own CHECK (n > 0));
		COMMENT ON CONSTRAINT own ON other.kinds IS 'why'; COMMENT ON COLUMN other.kinds.n IS 'what'; COMMENT ON TABLE other.kinds IS 'whose'`}
	for name, script := range map[string][]string{"everything": own, "made up": schemas.Make(schemas.Options{Dialect: "postgres", Seed: 3})} {
		t.Run(name, func(t *testing.T) {
			s := postgresServed(t, "")
			for _, statement := range script {
				s.Exec(t, statement)
			}
			d := s.connect(t).(*postgresDatabase)
			whole, err := d.Definition(t.Context())
			require.NoError(t, err)
			objects, err := d.Objects(t.Context())
			require.NoError(t, err)
			found := 0
			for _, o := range objects {
				want, err := d.textOf(whole, o.Name, "public")
				if err != nil {
					continue // a partition, which is an object
				}
				found++
				got, err := d.CreateText(t.Context(), o.Name)
				require.NoError(t, err, o.Name)
				assert.Equal(t, want, got, o.Name)
			}
			assert.Greater(t, found, 10)
			_, err = d.CreateText(t.Context(), "no.such.table")
			assert.ErrorIs(t, err, ErrUnknownTable)
		})
	}
}

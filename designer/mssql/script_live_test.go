package mssql

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// shop is a database that any server of Transact-SQL can have.
const shop = `
CREATE SCHEMA sales
GO
CREATE TABLE dbo.customers (
	id int IDENTITY(1,1) NOT NULL CONSTRAINT pk_customers PRIMARY KEY,
	email nvarchar(200) NOT NULL CONSTRAINT uq_email UNIQUE,
	name varchar(50) NULL,
	born date NULL,
	rate decimal(9,3) NULL,
	note nvarchar(max) NULL
)
GO
CREATE TABLE sales.orders (
	orderid int NOT NULL CONSTRAINT pk_orders PRIMARY KEY,
	customerid int NULL,
	total money NOT NULL DEFAULT (0),
	placed datetime2(3) NULL DEFAULT (getdate()),
	twice AS (total * 2) PERSISTED,
	CONSTRAINT ck_total CHECK (total >= 0)
)
GO
ALTER TABLE sales.orders ADD CONSTRAINT fk_customer FOREIGN KEY (customerid) REFERENCES dbo.customers (id) ON DELETE CASCADE
GO
CREATE INDEX ix_placed ON sales.orders (placed DESC) INCLUDE (total)
GO
CREATE VIEW sales.bigorders AS SELECT orderid, total FROM sales.orders WHERE total > 100
GO
CREATE TRIGGER sales.orderschanged ON sales.orders AFTER UPDATE AS SET NOCOUNT ON
GO
CREATE PROCEDURE dbo.closeorder @id int AS DELETE FROM sales.orders WHERE orderid = @id
GO
EXEC sys.sp_addextendedproperty @name = N'MS_Description', @value = N'who buys', @level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N'customers'
`

const shopRows = `
INSERT INTO dbo.customers (email, name, born, rate) VALUES (N'a', 'A', '2000-01-01', 1.5), (N'b', NULL, '2001-01-01', 2.25)
GO
INSERT INTO sales.orders (orderid, customerid, total) VALUES (1, 1, 10), (2, 2, 200)
`

func asText(t *testing.T, d designer.Definition) string {
	t.Helper()
	text, err := json.MarshalIndent(d, "", " ")
	require.NoError(t, err)
	return string(text)
}

// aboutRows reports whether a batch of a sample's script puts rows in, or drops
// what an earlier run has left.
func aboutRows(batch string) bool {
	tokens := significant(scan(batch))
	for _, first := range []string{"INSERT", "SET", "IF"} {
		if tokens[0].Is(first) {
			return true
		}
	}
	return false
}

// A database, its script, the script's database: all read the same.
func TestAScriptMakesTheDatabaseAgain(t *testing.T) {
	require.NotEmpty(t, Batches(shop))
	samples := map[string]string{
		"shop":      shop,
		"chinook":   sample(t, "chinook/Chinook_SqlServer_AutoIncrementPKs.sql"),
		"northwind": sample(t, "northwind/instnwnd.sql"),
	}
	for name, script := range samples {
		if script == "" {
			continue
		}
		live(t, name, func(t *testing.T, s *server) {
			db := s.database(t)
			for _, b := range inside(Batches(script), &designer.LoadResult{}) {
				if !aboutRows(b) {
					run(t, db, b)
				}
			}
			was := read(t, s, db)
			require.NotZero(t, was.Len())
			assert.Equal(t, was.Version(), read(t, s, db).Version(), "read twice")
			plan, err := Engine{}.Script(was)
			require.NoError(t, err)
			other := s.database(t)
			require.NoError(t, s.engine().Publish(context.Background(), other, plan, 0, nil), "%s", plan.Script())
			made := read(t, s, other)
			assert.Equal(t, asText(t, was.Definition()), asText(t, made.Definition()), "%s", plan.Script())
			assert.Equal(t, was.Version(), made.Version())
			def, err := s.engine().Load(context.Background(), other, plan.Script())
			require.NoError(t, err)
			loaded, err := designer.Build(Dialect(), def.Definition, nil)
			require.NoError(t, err)
			assert.Equal(t, asText(t, was.Definition()), asText(t, loaded.Definition()))
			assert.Equal(t, was.Version(), loaded.Version())
		})
	}
}

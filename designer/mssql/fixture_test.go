package mssql

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// everything is a database with one of each thing that the model knows.
func everything() designer.Definition {
	return designer.Definition{
		Schemas: []string{"dbo", "sales"},
		Tables:  []designer.TableDefinition{customers(), orders(), lines(), prices(), notes()},
		Views: []designer.View{
			{Schema: "dbo", Name: "a_totals", Definition: "CREATE VIEW dbo.a_totals AS SELECT OrderId, Total FROM dbo.open_orders"},
			{Schema: "dbo", Name: "open_orders", Definition: "CREATE VIEW dbo.open_orders AS SELECT OrderId, Total FROM sales.Orders WHERE Closed = 0"},
			{Schema: "sales", Name: "bound", Definition: "CREATE VIEW sales.bound WITH SCHEMABINDING AS SELECT Id, COUNT_BIG(*) AS n FROM dbo.Notes GROUP BY Id\nGO\nCREATE UNIQUE CLUSTERED INDEX [IX_bound] ON [sales].[bound] ([Id])"},
		},
		Objects: []designer.Object{
			{Kind: designer.ObjectXMLSchema, Schema: "dbo", Name: "docs", Definition: "CREATE XML SCHEMA COLLECTION [dbo].[docs] AS N'<xsd:schema xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\"><xsd:element name=\"doc\"/></xsd:schema>'"},
			{Kind: designer.ObjectType, Schema: "dbo", Name: "Flag", Definition: "CREATE TYPE [dbo].[Flag] FROM bit NOT NULL"},
			{Kind: designer.ObjectSequence, Schema: "sales", Name: "numbers", Definition: "CREATE SEQUENCE [sales].[numbers] AS bigint START WITH 1 INCREMENT BY 1 MINVALUE 1 MAXVALUE 1000 CYCLE CACHE 10"},
			{Kind: designer.ObjectSynonym, Schema: "dbo", Name: "people", Definition: "CREATE SYNONYM [dbo].[people] FOR [dbo].[Customers]"},
			{Kind: designer.ObjectRoutine, Schema: "dbo", Name: "shorten", Definition: "CREATE FUNCTION dbo.shorten(@t nvarchar(max)) RETURNS nvarchar(20) AS BEGIN RETURN LEFT(@t, 20) END"},
			{Kind: designer.ObjectRoutine, Schema: "dbo", Name: "close_order", Definition: "SET QUOTED_IDENTIFIER OFF\nGO\nCREATE PROCEDURE dbo.close_order @id int AS UPDATE sales.Orders SET Closed = 1 WHERE OrderId = @id\nGO\nSET QUOTED_IDENTIFIER ON"},
			{Kind: designer.ObjectRoutine, Schema: "dbo", Name: "secret"},
			{Kind: designer.ObjectTrigger, Schema: "sales", Name: "orders_changed", Table: "Orders", Definition: "CREATE TRIGGER sales.orders_changed ON sales.Orders AFTER UPDATE AS SET NOCOUNT ON\nGO\nDISABLE TRIGGER [sales].[orders_changed] ON [sales].[Orders]"},
		},
	}
}

func customers() designer.TableDefinition {
	return designer.TableDefinition{
		Schema: "dbo", Name: "Customers", Comment: "who buys;\nGO\nit's them",
		Columns: []designer.Column{
			{Name: "Id", DataType: "int", IsIdentity: true, IdentitySeed: 10, IdentityIncrement: 5, Options: map[string]string{OptionNotForReplication: "true"}},
			{Name: "Email", DataType: "nvarchar", MaxLength: "200", Collation: "Latin1_General_BIN2", Options: map[string]string{OptionMasked: "email()"}},
			{Name: "Odd ]name", DataType: "varchar", MaxLength: "MAX", IsNullable: true, Comment: "odd"},
			{Name: "Short", IsComputed: true, ComputedFormula: "[dbo].[shorten]([Email])", DataType: "nvarchar", MaxLength: "20", IsNullable: true},
			{Name: "Vip", DataType: "Flag", TypeText: "[dbo].[Flag]", DefaultValue: "0", Options: map[string]string{OptionDefaultName: "DF_Vip"}},
			{Name: "Rv", DataType: "rowversion"},
			{Name: "Key", DataType: "uniqueidentifier", DefaultValue: "newid()", Options: map[string]string{OptionRowGUID: "true"}},
			{Name: "Spare", DataType: "decimal", Precision: 9, Scale: 3, IsNullable: true, Options: map[string]string{OptionSparse: "true"}},
		},
		PrimaryKey: &designer.KeyDefinition{Name: "PK_Customers", Columns: []string{"Id"}},
		Indexes: []designer.IndexDefinition{
			{Name: "IX_Spare", Parts: []designer.IndexKeyDefinition{{Column: "Spare", Descending: true}, {Column: "Id"}}, Where: "[Spare] IS NOT NULL",
				Include: []string{"Vip", "Key"}, Options: map[string]string{OptionFillFactor: "80", OptionPadIndex: "true"}},
			{Name: "UQ_Email", Unique: true, Constraint: true, Parts: []designer.IndexKeyDefinition{{Column: "Email"}}},
			{Name: "UX_Key", Unique: true, Parts: []designer.IndexKeyDefinition{{Column: "Key"}}, Options: map[string]string{OptionIgnoreDup: "true", OptionDisabled: "true", OptionCompression: "page"}},
		},
	}
}

func orders() designer.TableDefinition {
	return designer.TableDefinition{
		Schema: "sales", Name: "Orders", Triggers: []string{"orders_changed"},
		Columns: []designer.Column{
			{Name: "OrderId", DataType: "int", DefaultValue: "NEXT VALUE FOR [sales].[numbers]"},
			{Name: "CustomerId", DataType: "int", IsNullable: true},
			{Name: "Total", DataType: "money", DefaultValue: "0"},
			{Name: "Closed", DataType: "bit", DefaultValue: "0"},
			{Name: "Placed", DataType: "datetime2", Scale: 3, DefaultValue: "sysutcdatetime()"},
			{Name: "Vat", IsComputed: true, ComputedFormula: "[Total]*(0.25)", ComputedPersisted: true, DataType: "decimal", Precision: 23, Scale: 6, IsNullable: true},
		},
		PrimaryKey: &designer.KeyDefinition{Columns: []string{"OrderId"}, Options: map[string]string{OptionClustered: "false"}},
		ForeignKeys: []designer.ForeignKeyDefinition{
			{Name: "FK_Orders_Customers", ReferencedTable: designer.TableRef{Schema: "dbo", Name: "Customers"}, OnDelete: designer.SetNull, OnUpdate: designer.Cascade,
				Mappings: []designer.NameMapping{{Column: "CustomerId", ReferencedColumn: "Id"}}, Options: map[string]string{OptionDisabled: "true", OptionNotTrusted: "true"}},
		},
		Indexes: []designer.IndexDefinition{
			{Name: "CX_Placed", Parts: []designer.IndexKeyDefinition{{Column: "Placed"}}, Options: map[string]string{OptionClustered: "true"}},
			{Unique: true, Constraint: true, Parts: []designer.IndexKeyDefinition{{Column: "CustomerId"}, {Column: "Placed"}}},
		},
		Checks: []designer.CheckDefinition{
			{Expression: "[Total]>=(0)"},
			{Name: "CK_Placed", Expression: "[Placed]>'2000-01-01'", Options: map[string]string{OptionNotTrusted: "true", OptionNotForReplication: "true"}},
		},
	}
}

func lines() designer.TableDefinition {
	return designer.TableDefinition{
		Schema: "sales", Name: "Lines",
		Columns: []designer.Column{
			{Name: "OrderId", DataType: "int"}, {Name: "Line", DataType: "smallint"},
			{Name: "Parent", DataType: "smallint", IsNullable: true},
			{Name: "Text", DataType: "nvarchar", MaxLength: "50", IsNullable: true},
		},
		PrimaryKey: &designer.KeyDefinition{Name: "PK_Lines", Columns: []string{"OrderId", "Line"}, Options: map[string]string{OptionDescending: "2"}},
		ForeignKeys: []designer.ForeignKeyDefinition{
			{ReferencedTable: designer.TableRef{Schema: "sales", Name: "Orders"}, OnDelete: designer.Cascade,
				Mappings: []designer.NameMapping{{Column: "OrderId", ReferencedColumn: "OrderId"}}},
			{Name: "FK_Parent", ReferencedTable: designer.TableRef{Schema: "sales", Name: "Lines"},
				Mappings: []designer.NameMapping{{Column: "OrderId", ReferencedColumn: "OrderId"}, {Column: "Parent", ReferencedColumn: "Line"}}},
		},
		Indexes: []designer.IndexDefinition{{Name: "CS", Method: MethodColumnstore, Parts: []designer.IndexKeyDefinition{{Column: "Text"}}}},
	}
}

func prices() designer.TableDefinition {
	return designer.TableDefinition{
		Schema: "sales", Name: "Prices", Options: map[string]string{OptionVersioning: "[sales].[PricesHistory]"},
		Columns: []designer.Column{
			{Name: "Id", DataType: "int"}, {Name: "Price", DataType: "smallmoney"},
			{Name: "From", DataType: "datetime2", Scale: 7, Options: map[string]string{OptionGenerated: "row start", OptionHidden: "true"}},
			{Name: "To", DataType: "datetime2", Scale: 7, Options: map[string]string{OptionGenerated: "row end", OptionHidden: "true"}},
		},
		PrimaryKey: &designer.KeyDefinition{Name: "PK_Prices", Columns: []string{"Id"}},
	}
}

func notes() designer.TableDefinition {
	return designer.TableDefinition{
		Schema: "dbo", Name: "Notes", Options: map[string]string{OptionCompression: "page"},
		Columns: []designer.Column{
			{Name: "Id", DataType: "bigint"}, {Name: "Doc", DataType: "xml", IsNullable: true, TypeText: "xml([dbo].[docs])"},
			{Name: "At", DataType: "time", IsNullable: true}, {Name: "Raw", DataType: "varbinary", MaxLength: "MAX", IsNullable: true},
		},
		PrimaryKey: &designer.KeyDefinition{Name: "PK_Notes", Columns: []string{"Id"}},
		Indexes: []designer.IndexDefinition{
			{Name: "AX", Method: MethodXML, Parts: []designer.IndexKeyDefinition{{Column: "Doc"}}, Options: map[string]string{OptionPrimaryXML: "PX", OptionSecondaryXML: "path"}},
			{Name: "PX", Method: MethodXML, Parts: []designer.IndexKeyDefinition{{Column: "Doc"}}},
		},
	}
}

// build makes a schema with ids that a reader of a failure can follow.
func build(t testing.TB, def designer.Definition) *designer.Schema {
	t.Helper()
	n := 0
	s, err := designer.Build(Dialect(), def, &designer.Options{NewID: func() designer.ID {
		n++
		return designer.ID(fmt.Sprintf("id%d", n))
	}})
	require.NoError(t, err)
	require.NoError(t, s.Check())
	return s
}

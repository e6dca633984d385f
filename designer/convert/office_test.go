package convert_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/designer"
)

// office is what reading a SQL Server database gives, with what that server
// has of its own.
func office(t testing.TB) designer.Definition {
	t.Helper()
	col := func(name, typ string, change func(c *designer.Column)) designer.Column {
		c := column(t, "mssql", typ)
		c.Name, c.IsNullable = name, true
		if change != nil {
			change(&c)
		}
		return c
	}
	required := func(c *designer.Column) { c.IsNullable = false }
	number := func(c *designer.Column) {
		c.IsNullable, c.IsIdentity, c.IdentitySeed, c.IdentityIncrement = false, true, 1000, 5
	}
	def := func(sql string) func(c *designer.Column) {
		return func(c *designer.Column) { c.IsNullable, c.DefaultValue = false, sql }
	}
	ref := func(name, table, column, own string, del designer.Action) designer.ForeignKeyDefinition {
		return designer.ForeignKeyDefinition{Name: name, ReferencedTable: designer.TableRef{Schema: "hr", Name: table}, OnDelete: del,
			Mappings: []designer.NameMapping{{Column: own, ReferencedColumn: column}}}
	}
	part := func(name string) []designer.IndexKeyDefinition { return []designer.IndexKeyDefinition{{Column: name}} }
	return designer.Definition{
		Schemas: []string{"dbo", "hr"},
		Tables: []designer.TableDefinition{
			{Schema: "hr", Name: "Employee", Comment: "who works here", Columns: []designer.Column{
				col("Id", "decimal(9,0)", number), col("Guid", "uniqueidentifier", def("newid()")), col("Name", "nvarchar(100)", required),
				col("Note", "nvarchar(MAX)", def("N'ü'")), col("Salary", "money", def("(0)")), col("Active", "bit", def("(1)")),
				col("Hired", "datetime2", def("sysdatetime()")), col("Born", "date", nil), col("Boss", "decimal(9,0)", nil),
				col("Stamp", "rowversion", required), col("Photo", "varbinary(MAX)", nil), col("Code", "char(4)", nil),
				col("Seen", "datetimeoffset(3)", nil), col("Old", "ntext", nil), col("Path", "hierarchyid", nil), col("Big", "nvarchar(4000)", nil),
				{Name: "Yearly", DataType: "money", IsComputed: true, ComputedFormula: "[Salary]*(12)", ComputedPersisted: true, IsNullable: true},
				{Name: "Label", DataType: "nvarchar", MaxLength: "MAX", IsComputed: true, ComputedFormula: "[Name]+' '+[Code]", IsNullable: true},
			}, PrimaryKey: &designer.KeyDefinition{Name: "PK_Employee", Columns: []string{"Id"}},
				ForeignKeys: []designer.ForeignKeyDefinition{ref("FK_Boss", "Employee", "Id", "Boss", designer.NoAction)},
				Indexes: []designer.IndexDefinition{
					{Name: "UQ_Code", Unique: true, Constraint: true, Parts: part("Code")},
					{Name: "IX_Born", Parts: part("Born"), Where: "([Born] IS NOT NULL AND [Active]=(1))", Include: []string{"Name"}},
					{Name: "IX_Salary", Parts: part("Salary"), Where: "([Salary]>(100))", Include: []string{"Name", "Born"}},
					{Name: "IX_Store", Parts: part("Name"), Method: "columnstore"}},
				Checks: []designer.CheckDefinition{{Name: "CK_Salary", Expression: "([Salary]>=(0))"}, {Name: "CK_Code", Expression: "([Code] like '[A-Z]%' AND len([Code])=(4))"}}},
			{Schema: "dbo", Name: "Employee", Columns: []designer.Column{col("Name", "sysname", required), col("Employee", "decimal(9,0)", required)},
				PrimaryKey:  &designer.KeyDefinition{Name: "PK_Names", Columns: []string{"Name", "Employee"}},
				ForeignKeys: []designer.ForeignKeyDefinition{ref("FK_Employee", "Employee", "Id", "Employee", designer.Cascade)}},
		},
		Views: []designer.View{{Schema: "hr", Name: "Bosses"}},
	}
}

func TestASQLServerDesignIsMadeOnTheOtherServers(t *testing.T) {
	convertToAll(t, build(t, sides()["mssql"], office(t)), "mssql")
}

func TestEveryLossIsToldWithItsPlace(t *testing.T) {
	_, notes := converted(t, "mssql", "mysql", office(t))
	assert.ElementsMatch(t, []string{
		"hr.Employee: MySQL/MariaDB has no schemas: the table is among the others",
		"hr.Employee: the table becomes hr_Employee",
		"hr.Employee.Salary: money becomes decimal(19,4)",
		"hr.Employee.Yearly: money becomes decimal(19,4)",
		"hr.Employee.Hired: datetime2 has 7 digits of a second: MySQL/MariaDB keeps 6",
		"hr.Employee.Stamp: rowversion becomes binary(8)",
		"hr.Employee.Guid: uniqueidentifier becomes char(36)",
		"hr.Employee.CK_Code: the check ([Code] like '[A-Z]%' AND len([Code])=(4)) is left out: it has no equivalent in MySQL/MariaDB",
		"hr.Employee.Path: hierarchyid becomes longtext",
		"hr.Employee.Id: decimal(9) becomes bigint, which can be an identity column",
		"hr.Employee.Id: the column counts from 1 by 1, not from 1000 by 5",
		"hr.Employee.Boss: decimal(9) becomes bigint, as the column that it refers to",
		"Employee.Employee: decimal(9) becomes bigint, as the column that it refers to",
		"hr.Employee.Label: the formula [Name]+' '+[Code] has no equivalent in MySQL/MariaDB: the column is a plain one",
		"hr.Employee.IX_Born: the index is on all rows: MySQL/MariaDB has no partial indexes; its condition was ([Born] IS NOT NULL AND [Active]=(1))",
		"hr.Employee.IX_Born: the index does not store Name beside its key: MySQL/MariaDB has no such indexes",
		"hr.Employee.IX_Salary: the index is on all rows: MySQL/MariaDB has no partial indexes; its condition was ([Salary]>(100))",
		"hr.Employee.IX_Salary: the index does not store Name, Born beside its key: MySQL/MariaDB has no such indexes",
		"hr.Employee.IX_Store: the index is left out: an index of type columnstore is another thing elsewhere",
		"hr.Employee.UQ_Code: several rows may have no Code: a unique key of MySQL/MariaDB takes NULL more than once",
		"view hr.Bosses: left out, it is written in the SQL of SQL Server",
	}, notes)
}

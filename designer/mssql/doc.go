// Package mssql is the designer's engine for SQL Server, 2016 and later:
// [Dialect] is what validation has to know, [Engine] reads a database, plans
// for it, tries plans and makes them. It opens nothing; the caller brings the
// pool, whose driver is go-mssqldb.
//
// What the model says of SQL Server's own:
//
//   - A constraint whose name the server made up is unnamed, so that one
//     script run twice makes equal models. A plan finds it by what it is.
//   - Expressions are as the server keeps them, without the parentheses that
//     it puts around the whole.
//   - Views, routines and triggers are carried with their text. Where that
//     needs other settings than QUOTED_IDENTIFIER and ANSI_NULLS ON, or a
//     trigger is disabled, the text has several batches, separated by GO.
//   - What neither the model's fields nor the Option keys say (file groups,
//     statistics, permissions, full-text indexes) is not read. Where a plan
//     would lose it, its notes say so.
//
// Statements of a plan are batches. They run in one transaction.
package mssql

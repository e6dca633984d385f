-- Set what SQL Server needs set
SET XACT_ABORT, QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON
SET NUMERIC_ROUNDABORT OFF
GO

-- Stop if re-creating sales.bound would lose permissions
IF EXISTS (SELECT 1 FROM sys.database_permissions p WHERE p.class = 1 AND p.major_id = OBJECT_ID(N'[sales].[bound]')
UNION ALL SELECT 1 FROM sys.objects o WHERE o.object_id = OBJECT_ID(N'[sales].[bound]') AND o.principal_id <> (SELECT s.principal_id FROM sys.schemas s WHERE s.schema_id = o.schema_id))
  THROW 50000, N'sales.bound would have to be re-created, and has permissions or an owner of its own that would be lost: take them away, publish, and give them again', 1
GO

-- Drop view sales.bound, which is bound to what changes
DROP VIEW [sales].[bound]
GO

-- Give table dbo.Customers a temporary name
EXEC sys.sp_rename @objname = N'[dbo].[Customers]', @newname = N'berth_tmp_1', @objtype = 'OBJECT'
GO

-- Rename table dbo.Notes to Customers
EXEC sys.sp_rename @objname = N'[dbo].[Notes]', @newname = N'Customers', @objtype = 'OBJECT'
GO

-- Rename table dbo.berth_tmp_1 to Notes
EXEC sys.sp_rename @objname = N'[dbo].[berth_tmp_1]', @newname = N'Notes', @objtype = 'OBJECT'
GO

-- Rename column sales.Lines.Parent to berth_tmp_1
EXEC sys.sp_rename @objname = N'[sales].[Lines].[Parent]', @newname = N'berth_tmp_1', @objtype = 'COLUMN'
GO

-- Rename column sales.Lines.Text to Parent
EXEC sys.sp_rename @objname = N'[sales].[Lines].[Text]', @newname = N'Parent', @objtype = 'COLUMN'
GO

-- Rename column sales.Lines.berth_tmp_1 to Text
EXEC sys.sp_rename @objname = N'[sales].[Lines].[berth_tmp_1]', @newname = N'Text', @objtype = 'COLUMN'
GO

-- Make view sales.bound again
CREATE VIEW sales.bound WITH SCHEMABINDING AS SELECT Id, COUNT_BIG(*) AS n FROM dbo.Notes GROUP BY Id
GO

-- Make view sales.bound again
CREATE UNIQUE CLUSTERED INDEX [IX_bound] ON [sales].[bound] ([Id])
GO

-- Note: View sales.bound is bound to what changes (SCHEMABINDING): it is dropped and made again.
-- Note: The text of view sales.bound names table dbo.Notes, which gets another name, on line 1: change it.
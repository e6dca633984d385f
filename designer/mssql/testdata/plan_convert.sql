-- Set what SQL Server needs set
SET XACT_ABORT, QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON
SET NUMERIC_ROUNDABORT OFF
GO

-- Drop index AX of dbo.Notes
DROP INDEX [AX] ON [dbo].[Notes]
GO

-- Drop index PX of dbo.Notes
DROP INDEX [PX] ON [dbo].[Notes]
GO

-- Stop if re-creating dbo.Notes.Doc would lose permissions
IF EXISTS (SELECT 1 FROM sys.database_permissions p WHERE p.class = 1 AND p.major_id = OBJECT_ID(N'[dbo].[Notes]') AND COL_NAME(p.major_id, p.minor_id) = N'Doc')
  THROW 50000, N'dbo.Notes.Doc would have to be re-created, and has permissions or an owner of its own that would be lost: take them away, publish, and give them again', 1
GO

-- Add a column for the converted values of dbo.Notes.Doc
ALTER TABLE [dbo].[Notes] ADD [berth_tmp_1] nvarchar(max) NULL
GO

-- Convert dbo.Notes.Doc to nvarchar(max)
UPDATE [dbo].[Notes] SET [berth_tmp_1] = CONVERT(nvarchar(max), [Doc])
GO

-- Drop the old column dbo.Notes.Doc
ALTER TABLE [dbo].[Notes] DROP COLUMN [Doc]
GO

-- Give the new column the name of dbo.Notes.Doc
EXEC sys.sp_rename @objname = N'[dbo].[Notes].[berth_tmp_1]', @newname = N'Doc', @objtype = 'COLUMN'
GO

-- Stop if re-creating sales.Orders.Vat would lose permissions
IF EXISTS (SELECT 1 FROM sys.database_permissions p WHERE p.class = 1 AND p.major_id = OBJECT_ID(N'[sales].[Orders]') AND COL_NAME(p.major_id, p.minor_id) = N'Vat')
  THROW 50000, N'sales.Orders.Vat would have to be re-created, and has permissions or an owner of its own that would be lost: take them away, publish, and give them again', 1
GO

-- Add a column for the converted values of sales.Orders.Vat
ALTER TABLE [sales].[Orders] ADD [berth_tmp_1] money NULL
GO

-- Convert sales.Orders.Vat to money
UPDATE [sales].[Orders] SET [berth_tmp_1] = CONVERT(money, [Vat])
GO

-- Drop the old column sales.Orders.Vat
ALTER TABLE [sales].[Orders] DROP COLUMN [Vat]
GO

-- Give the new column the name of sales.Orders.Vat
EXEC sys.sp_rename @objname = N'[sales].[Orders].[berth_tmp_1]', @newname = N'Vat', @objtype = 'COLUMN'
GO

-- Rename column dbo.Notes.Doc to Text
EXEC sys.sp_rename @objname = N'[dbo].[Notes].[Doc]', @newname = N'Text', @objtype = 'COLUMN'
GO

-- Alter column dbo.Notes.Text
ALTER TABLE [dbo].[Notes] ALTER COLUMN [Text] nvarchar(max) NOT NULL
GO

-- Read view dbo.open_orders again, as what it uses has changed
EXEC sys.sp_refreshview @viewname = N'[dbo].[open_orders]'
GO

-- Read view dbo.a_totals again, as what it uses has changed
EXEC sys.sp_refreshview @viewname = N'[dbo].[a_totals]'
GO

-- Note: Column dbo.Notes.Doc is re-created, as the last of its table. Statistics, full-text indexes and extended properties other than MS_Description go with the old one.
-- Note: Column sales.Orders.Vat is re-created, as the last of its table. Statistics, full-text indexes and extended properties other than MS_Description go with the old one.
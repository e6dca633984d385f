-- Set what SQL Server needs set
SET XACT_ABORT, QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON
SET NUMERIC_ROUNDABORT OFF
GO

-- Drop column dbo.t.a
ALTER TABLE [dbo].[t] DROP COLUMN [a]
GO

-- Keep dbo.t.b until the table has another column
EXEC sys.sp_rename @objname = N'[dbo].[t].[b]', @newname = N'berth_tmp_1', @objtype = 'COLUMN'
GO

-- Add column dbo.t.b
ALTER TABLE [dbo].[t] ADD [b] date NULL
GO

-- Drop the column of dbo.t that was kept until now
ALTER TABLE [dbo].[t] DROP COLUMN [berth_tmp_1]
GO

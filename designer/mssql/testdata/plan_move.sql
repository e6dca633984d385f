-- Set what SQL Server needs set
SET XACT_ABORT, QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON
SET NUMERIC_ROUNDABORT OFF
GO

-- Create schema archive
CREATE SCHEMA [archive]
GO

-- Move table sales.Lines to schema archive
ALTER SCHEMA [archive] TRANSFER OBJECT::[sales].[Lines]
GO

-- Rename table archive.Lines to OldLines
EXEC sys.sp_rename @objname = N'[archive].[Lines]', @newname = N'OldLines', @objtype = 'OBJECT'
GO

-- Move table sales.Orders to schema dbo
ALTER SCHEMA [dbo] TRANSFER OBJECT::[sales].[Orders]
GO

-- Note: Permissions granted on table sales.Lines itself go with its move to another schema.
-- Note: Permissions granted on table sales.Orders itself go with its move to another schema.
-- Note: The text of view dbo.open_orders names table sales.Orders, which gets another name, on line 1: change it.
-- Note: The text of procedure dbo.close_order names table sales.Orders, which gets another name, on line 3: change it.
-- Note: The text of trigger sales.orders_changed names table sales.Orders, which gets another name, on line 1: change it.
-- Set what SQL Server needs set
SET XACT_ABORT, QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON
SET NUMERIC_ROUNDABORT OFF
GO

-- Give table sales.Lines a temporary name
EXEC sys.sp_rename @objname = N'[sales].[Lines]', @newname = N'berth_tmp_1', @objtype = 'OBJECT'
GO

-- Rename table sales.Orders to Lines
EXEC sys.sp_rename @objname = N'[sales].[Orders]', @newname = N'Lines', @objtype = 'OBJECT'
GO

-- Rename table sales.berth_tmp_1 to Orders
EXEC sys.sp_rename @objname = N'[sales].[berth_tmp_1]', @newname = N'Orders', @objtype = 'OBJECT'
GO

-- Rename column sales.Orders.Parent to berth_tmp_1
EXEC sys.sp_rename @objname = N'[sales].[Orders].[Parent]', @newname = N'berth_tmp_1', @objtype = 'COLUMN'
GO

-- Rename column sales.Orders.Text to Parent
EXEC sys.sp_rename @objname = N'[sales].[Orders].[Text]', @newname = N'Parent', @objtype = 'COLUMN'
GO

-- Rename column sales.Orders.berth_tmp_1 to Text
EXEC sys.sp_rename @objname = N'[sales].[Orders].[berth_tmp_1]', @newname = N'Text', @objtype = 'COLUMN'
GO

-- Note: The text of view dbo.open_orders names table sales.Orders, which gets another name, on line 1: change it.
-- Note: The text of procedure dbo.close_order names table sales.Orders, which gets another name, on line 3: change it.
-- Note: The text of trigger sales.orders_changed names table sales.Orders, which gets another name, on line 1: change it.
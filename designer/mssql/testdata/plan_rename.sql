-- Set what SQL Server needs set
SET XACT_ABORT, QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON
SET NUMERIC_ROUNDABORT OFF
GO

-- Drop index IX_Spare of dbo.Customers
DROP INDEX [IX_Spare] ON [dbo].[Customers]
GO

-- Drop an unnamed check of sales.Orders
DECLARE @name sysname = (SELECT TOP (1) k.name FROM sys.check_constraints k WHERE k.is_system_named = 1 AND k.definition IN (N'([Total]>=(0))', N'(([Total]>=(0)))', N'[Total]>=(0)') AND k.parent_object_id = OBJECT_ID(N'[sales].[Orders]'));
IF @name IS NULL THROW 50000, N'the check is not there', 1;
DECLARE @statement nvarchar(max) = N'ALTER TABLE [sales].[Orders] DROP CONSTRAINT ' + QUOTENAME(@name);
EXEC (@statement)
GO

-- Stop if re-creating sales.Orders.Vat would lose permissions
IF EXISTS (SELECT 1 FROM sys.database_permissions p WHERE p.class = 1 AND p.major_id = OBJECT_ID(N'[sales].[Orders]') AND COL_NAME(p.major_id, p.minor_id) = N'Vat')
  THROW 50000, N'sales.Orders.Vat would have to be re-created, and has permissions or an owner of its own that would be lost: take them away, publish, and give them again', 1
GO

-- Drop column sales.Orders.Vat
ALTER TABLE [sales].[Orders] DROP COLUMN [Vat]
GO

-- Rename table sales.Orders to Purchases
EXEC sys.sp_rename @objname = N'[sales].[Orders]', @newname = N'Purchases', @objtype = 'OBJECT'
GO

-- Rename column dbo.Customers.Spare to berth_tmp_1
EXEC sys.sp_rename @objname = N'[dbo].[Customers].[Spare]', @newname = N'berth_tmp_1', @objtype = 'COLUMN'
GO

-- Rename column dbo.Customers.berth_tmp_1 to SPARE
EXEC sys.sp_rename @objname = N'[dbo].[Customers].[berth_tmp_1]', @newname = N'SPARE', @objtype = 'COLUMN'
GO

-- Rename column sales.Purchases.Total to Amount
EXEC sys.sp_rename @objname = N'[sales].[Purchases].[Total]', @newname = N'Amount', @objtype = 'COLUMN'
GO

-- Rename constraint UQ_Email of dbo.Customers to UQ_Mail
EXEC sys.sp_rename @objname = N'[dbo].[UQ_Email]', @newname = N'UQ_Mail', @objtype = 'OBJECT'
GO

-- Rename constraint FK_Orders_Customers of sales.Purchases to FK_Purchases
EXEC sys.sp_rename @objname = N'[sales].[FK_Orders_Customers]', @newname = N'FK_Purchases', @objtype = 'OBJECT'
GO

-- Create index IX_Left on dbo.Customers
CREATE NONCLUSTERED INDEX [IX_Left] ON [dbo].[Customers] ([SPARE] DESC, [Id]) INCLUDE ([Vip], [Key]) WHERE ([SPARE] IS NOT NULL) WITH (PAD_INDEX = ON, FILLFACTOR = 80)
GO

-- Add column sales.Purchases.Vat
ALTER TABLE [sales].[Purchases] ADD [Vat] AS ([Amount]*(0.25)) PERSISTED
GO

-- Add check to sales.Purchases
ALTER TABLE [sales].[Purchases] ADD CHECK ([Amount]>=(0))
GO

-- Note: The text of view dbo.open_orders names table sales.Orders, which gets another name, on line 1: change it.
-- Note: The text of view dbo.open_orders names column Total of table sales.Orders, which is renamed or dropped, on line 1: change it.
-- Note: The text of procedure dbo.close_order names table sales.Orders, which gets another name, on line 3: change it.
-- Note: The text of trigger sales.orders_changed names table sales.Orders, which gets another name, on line 1: change it.
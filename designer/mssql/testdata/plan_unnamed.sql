-- Set what SQL Server needs set
SET XACT_ABORT, QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON
SET NUMERIC_ROUNDABORT OFF
GO

-- Drop an unnamed check of sales.Orders
DECLARE @name sysname = (SELECT TOP (1) k.name FROM sys.check_constraints k WHERE k.is_system_named = 1 AND k.definition IN (N'([Total]>=(0))', N'(([Total]>=(0)))', N'[Total]>=(0)') AND k.parent_object_id = OBJECT_ID(N'[sales].[Orders]'));
IF @name IS NULL THROW 50000, N'the check is not there', 1;
DECLARE @statement nvarchar(max) = N'ALTER TABLE [sales].[Orders] DROP CONSTRAINT ' + QUOTENAME(@name);
EXEC (@statement)
GO

-- Drop check CK_Placed of sales.Orders
ALTER TABLE [sales].[Orders] DROP CONSTRAINT [CK_Placed]
GO

-- Drop an unnamed unique constraint of sales.Orders
DECLARE @name sysname = (SELECT TOP (1) k.name FROM sys.key_constraints k WHERE k.type = 'UQ' AND k.is_system_named = 1 AND (SELECT COUNT(*) FROM sys.index_columns c WHERE c.object_id = k.parent_object_id AND c.index_id = k.unique_index_id AND c.key_ordinal > 0) = 2 AND (SELECT COL_NAME(c.object_id, c.column_id) FROM sys.index_columns c WHERE c.object_id = k.parent_object_id AND c.index_id = k.unique_index_id AND c.key_ordinal = 1) = N'CustomerId' AND (SELECT COL_NAME(c.object_id, c.column_id) FROM sys.index_columns c WHERE c.object_id = k.parent_object_id AND c.index_id = k.unique_index_id AND c.key_ordinal = 2) = N'Placed' AND k.parent_object_id = OBJECT_ID(N'[sales].[Orders]'));
IF @name IS NULL THROW 50000, N'the unique constraint is not there', 1;
DECLARE @statement nvarchar(max) = N'ALTER TABLE [sales].[Orders] DROP CONSTRAINT ' + QUOTENAME(@name);
EXEC (@statement)
GO

-- Drop index CX_Placed of sales.Orders
DROP INDEX [CX_Placed] ON [sales].[Orders]
GO

-- Drop the default of sales.Orders.Total
DECLARE @name sysname = (SELECT TOP (1) k.name FROM sys.default_constraints k WHERE COL_NAME(k.parent_object_id, k.parent_column_id) = N'Total' AND k.parent_object_id = OBJECT_ID(N'[sales].[Orders]'));
IF @name IS NULL THROW 50000, N'the default is not there', 1;
DECLARE @statement nvarchar(max) = N'ALTER TABLE [sales].[Orders] DROP CONSTRAINT ' + QUOTENAME(@name);
EXEC (@statement)
GO

-- Drop the default of sales.Orders.Closed
DECLARE @name sysname = (SELECT TOP (1) k.name FROM sys.default_constraints k WHERE COL_NAME(k.parent_object_id, k.parent_column_id) = N'Closed' AND k.parent_object_id = OBJECT_ID(N'[sales].[Orders]'));
IF @name IS NULL THROW 50000, N'the default is not there', 1;
DECLARE @statement nvarchar(max) = N'ALTER TABLE [sales].[Orders] DROP CONSTRAINT ' + QUOTENAME(@name);
EXEC (@statement)
GO

-- Drop the default of sales.Orders.Placed
DECLARE @name sysname = (SELECT TOP (1) k.name FROM sys.default_constraints k WHERE COL_NAME(k.parent_object_id, k.parent_column_id) = N'Placed' AND k.parent_object_id = OBJECT_ID(N'[sales].[Orders]'));
IF @name IS NULL THROW 50000, N'the default is not there', 1;
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

-- Drop column sales.Orders.Closed
ALTER TABLE [sales].[Orders] DROP COLUMN [Closed]
GO

-- Rename column sales.Orders.Total to Sum
EXEC sys.sp_rename @objname = N'[sales].[Orders].[Total]', @newname = N'Sum', @objtype = 'COLUMN'
GO

-- Alter column sales.Orders.Placed
ALTER TABLE [sales].[Orders] ALTER COLUMN [Placed] datetime2(7) NOT NULL
GO

-- Add column sales.Orders.Vat
ALTER TABLE [sales].[Orders] ADD [Vat] AS ([Sum]*(0.25)) PERSISTED
GO

-- Set the default of sales.Orders.Sum
ALTER TABLE [sales].[Orders] ADD DEFAULT (1) FOR [Sum]
GO

-- Set the default of sales.Orders.Placed
ALTER TABLE [sales].[Orders] ADD DEFAULT (sysutcdatetime()) FOR [Placed]
GO

-- Create index CX_Placed on sales.Orders
CREATE CLUSTERED INDEX [CX_Placed] ON [sales].[Orders] ([Placed])
GO

-- Add an unnamed unique constraint to sales.Orders
ALTER TABLE [sales].[Orders] ADD UNIQUE NONCLUSTERED ([CustomerId], [Placed])
GO

-- Add check to sales.Orders
ALTER TABLE [sales].[Orders] ADD CHECK ([Sum]>=(0))
GO

-- Add check CK_Placed to sales.Orders
ALTER TABLE [sales].[Orders] WITH NOCHECK ADD CONSTRAINT [CK_Placed] CHECK NOT FOR REPLICATION ([Placed]>'2000-01-01')
GO

-- Note: The text of view dbo.open_orders names column Total of table sales.Orders, which is renamed or dropped, on line 1: change it.
-- Note: The text of view dbo.open_orders names column Closed of table sales.Orders, which is renamed or dropped, on line 1: change it.
-- Note: The text of procedure dbo.close_order names column Closed of table sales.Orders, which is renamed or dropped, on line 3: change it.
-- Set what SQL Server needs set
SET XACT_ABORT, QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON
SET NUMERIC_ROUNDABORT OFF
GO

-- Drop unique constraint UQ_Email of dbo.Customers
ALTER TABLE [dbo].[Customers] DROP CONSTRAINT [UQ_Email]
GO

-- Drop the default of dbo.Customers.Vip
ALTER TABLE [dbo].[Customers] DROP CONSTRAINT [DF_Vip]
GO

-- Stop if re-creating dbo.Customers.Short would lose permissions
IF EXISTS (SELECT 1 FROM sys.database_permissions p WHERE p.class = 1 AND p.major_id = OBJECT_ID(N'[dbo].[Customers]') AND COL_NAME(p.major_id, p.minor_id) = N'Short')
  THROW 50000, N'dbo.Customers.Short would have to be re-created, and has permissions or an owner of its own that would be lost: take them away, publish, and give them again', 1
GO

-- Drop column dbo.Customers.Short
ALTER TABLE [dbo].[Customers] DROP COLUMN [Short]
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

-- Take MASKED from dbo.Customers.Email for a while
ALTER TABLE [dbo].[Customers] ALTER COLUMN [Email] DROP MASKED
GO

-- Alter column dbo.Customers.Email
ALTER TABLE [dbo].[Customers] ALTER COLUMN [Email] nvarchar(250) COLLATE DATABASE_DEFAULT NOT NULL
GO

-- Make dbo.Customers.Email MASKED again
ALTER TABLE [dbo].[Customers] ALTER COLUMN [Email] ADD MASKED WITH (FUNCTION = 'email()')
GO

-- Alter column sales.Lines.Text
ALTER TABLE [sales].[Lines] ALTER COLUMN [Text] nvarchar(80) NULL
GO

-- Alter column sales.Orders.Total
ALTER TABLE [sales].[Orders] ALTER COLUMN [Total] decimal(19,4) NOT NULL
GO

-- Alter column sales.Orders.Placed
ALTER TABLE [sales].[Orders] ALTER COLUMN [Placed] datetime2(3) NULL
GO

-- Add column dbo.Customers.Short
ALTER TABLE [dbo].[Customers] ADD [Short] AS ([dbo].[shorten]([Email]))
GO

-- Set the default of dbo.Customers.Vip
ALTER TABLE [dbo].[Customers] ADD CONSTRAINT [DF_Vip] DEFAULT (1) FOR [Vip]
GO

-- Add unique constraint UQ_Email to dbo.Customers
ALTER TABLE [dbo].[Customers] ADD CONSTRAINT [UQ_Email] UNIQUE NONCLUSTERED ([Email])
GO

-- Add column sales.Orders.Vat
ALTER TABLE [sales].[Orders] ADD [Vat] AS ([Total]*(0.25)) PERSISTED
GO

-- Set the default of sales.Orders.Total
ALTER TABLE [sales].[Orders] ADD DEFAULT (0) FOR [Total]
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
ALTER TABLE [sales].[Orders] ADD CHECK ([Total]>=(0))
GO

-- Add check CK_Placed to sales.Orders
ALTER TABLE [sales].[Orders] WITH NOCHECK ADD CONSTRAINT [CK_Placed] CHECK NOT FOR REPLICATION ([Placed]>'2000-01-01')
GO

-- Read view dbo.open_orders again, as what it uses has changed
EXEC sys.sp_refreshview @viewname = N'[dbo].[open_orders]'
GO

-- Read view dbo.a_totals again, as what it uses has changed
EXEC sys.sp_refreshview @viewname = N'[dbo].[a_totals]'
GO

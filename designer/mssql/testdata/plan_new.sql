-- Set what SQL Server needs set
SET XACT_ABORT, QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON
SET NUMERIC_ROUNDABORT OFF
GO

-- Create schema stock
CREATE SCHEMA [stock]
GO

-- Drop an unnamed foreign key of sales.Lines
DECLARE @name sysname = (SELECT TOP (1) k.name FROM sys.foreign_keys k WHERE k.is_system_named = 1 AND k.referenced_object_id = OBJECT_ID(N'[sales].[Orders]') AND (SELECT COUNT(*) FROM sys.foreign_key_columns c WHERE c.constraint_object_id = k.object_id) = 1 AND EXISTS (SELECT 1 FROM sys.foreign_key_columns c WHERE c.constraint_object_id = k.object_id AND COL_NAME(c.parent_object_id, c.parent_column_id) = N'OrderId' AND COL_NAME(c.referenced_object_id, c.referenced_column_id) = N'OrderId') AND k.parent_object_id = OBJECT_ID(N'[sales].[Lines]'));
IF @name IS NULL THROW 50000, N'the foreign key is not there', 1;
DECLARE @statement nvarchar(max) = N'ALTER TABLE [sales].[Lines] DROP CONSTRAINT ' + QUOTENAME(@name);
EXEC (@statement)
GO

-- Drop table sales.Lines
DROP TABLE [sales].[Lines]
GO

-- Drop table sales.Orders
DROP TABLE [sales].[Orders]
GO

-- Stop keeping the history of sales.Prices
ALTER TABLE [sales].[Prices] SET (SYSTEM_VERSIONING = OFF)
GO

-- Drop table sales.Prices
DROP TABLE [sales].[Prices]
GO

-- Drop the history of sales.Prices
DROP TABLE [sales].[PricesHistory]
GO

-- Create table stock.Items
CREATE TABLE [stock].[Items] (
    [Id] int IDENTITY(1,1) NOT NULL,
    [Name] nvarchar(50) NOT NULL,
    [Of] bigint NULL,
    [Upper] AS (upper(Name)),
    PRIMARY KEY ([Id]),
    CONSTRAINT [CK_Items_1] CHECK (len(Name) > 1)
)
GO

-- Create index IX_Items_Name on stock.Items
CREATE NONCLUSTERED INDEX [IX_Items_Name] ON [stock].[Items] ([Name]) WHERE (Name <> N'')
GO

-- Add foreign key FK_Items_Notes to stock.Items
ALTER TABLE [stock].[Items] ADD CONSTRAINT [FK_Items_Notes] FOREIGN KEY ([Of]) REFERENCES [dbo].[Notes] ([Id])
GO

-- Note: The text of view dbo.open_orders names table sales.Orders, which is dropped, on line 1.
-- Note: The text of procedure dbo.close_order names table sales.Orders, which is dropped, on line 3.
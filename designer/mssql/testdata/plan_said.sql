-- Set what SQL Server needs set
SET XACT_ABORT, QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON
SET NUMERIC_ROUNDABORT OFF
GO

-- Create table dbo.Tags
CREATE TABLE [dbo].[Tags] (
    [Id] int NOT NULL,
    [Name] nvarchar(40) NOT NULL,
    PRIMARY KEY ([Id]),
    CONSTRAINT [UQ_Tags_Name] UNIQUE NONCLUSTERED ([Name])
)
GO

-- Create index IX_Tags_Name on dbo.Tags
CREATE NONCLUSTERED COLUMNSTORE INDEX [IX_Tags_Name] ON [dbo].[Tags] ([Name])
GO

-- Create index IX_Orders_Placed on sales.Orders
CREATE NONCLUSTERED INDEX [IX_Orders_Placed] ON [sales].[Orders] ([Placed] DESC) INCLUDE ([Total])
GO

-- Comment on dbo.Customers
EXEC sys.sp_updateextendedproperty @name = N'MS_Description', @value = N'Who buys', @level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N'Customers'
GO

-- Comment on dbo.Customers.Vip
EXEC sys.sp_addextendedproperty @name = N'MS_Description', @value = N'Never waits', @level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N'Customers', @level2type = N'COLUMN', @level2name = N'Vip'
GO

-- Comment on dbo.Tags
EXEC sys.sp_addextendedproperty @name = N'MS_Description', @value = N'Words', @level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N'Tags'
GO

-- Comment on dbo.Tags.Name
EXEC sys.sp_addextendedproperty @name = N'MS_Description', @value = N'It''s one', @level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N'Tags', @level2type = N'COLUMN', @level2name = N'Name'
GO

-- The database that the attempts of mssql.txt are made on. Batches end with
-- two semicolons at the end of a line.
CREATE TABLE t (a INT PRIMARY KEY, b NVARCHAR(20));;
INSERT INTO t VALUES (1, 'x'), (2, 'y');;
CREATE TABLE audit (id INT IDENTITY PRIMARY KEY, what NVARCHAR(20));;
CREATE TABLE [odd name] ([a b] INT, [update] INT, [into] INT);;
INSERT INTO [odd name] VALUES (1, 2, 3);;
CREATE SEQUENCE s START WITH 1;;
CREATE FUNCTION dbo.twice(@n INT) RETURNS INT AS BEGIN RETURN 2 * @n END;;
CREATE FUNCTION dbo.rows_of(@n INT) RETURNS TABLE AS RETURN (SELECT a, b FROM dbo.t WHERE a >= @n);;
CREATE FUNCTION dbo.shells() RETURNS INT AS BEGIN EXEC master..xp_cmdshell 'dir' RETURN 1 END;;
CREATE FUNCTION dbo.shells_deep() RETURNS INT AS BEGIN RETURN dbo.shells() END;;
CREATE VIEW v AS SELECT a, dbo.twice(a) AS doubled FROM dbo.t;;
CREATE VIEW v_shells AS SELECT dbo.shells() AS n;;
CREATE VIEW v_on_view AS SELECT * FROM dbo.v_shells;;
CREATE PROCEDURE p1 AS DELETE FROM t;;

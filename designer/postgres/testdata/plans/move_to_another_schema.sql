-- create schema app
-- reverse: DROP SCHEMA app
CREATE SCHEMA app;

-- move table public.orders to schema app
-- reverse: ALTER TABLE app.orders SET SCHEMA public
ALTER TABLE public.orders SET SCHEMA app;

-- rename table app.orders to sales
-- reverse: ALTER TABLE app.sales RENAME TO orders
ALTER TABLE app.orders RENAME TO sales;

-- create table public.orders
-- reverse: DROP TABLE public.orders
CREATE TABLE public.orders (
	id integer
);


-- rename column public.customers.id to number
-- reverse: ALTER TABLE public.customers RENAME COLUMN number TO id
ALTER TABLE public.customers RENAME COLUMN id TO number;

-- rename column public.orders.total to sum
-- reverse: ALTER TABLE public.orders RENAME COLUMN sum TO total
ALTER TABLE public.orders RENAME COLUMN total TO sum;

-- rename table public.orders to sales
-- reverse: ALTER TABLE public.sales RENAME TO orders
ALTER TABLE public.orders RENAME TO sales;

-- rename index public.orders_total to sales_sum
-- reverse: ALTER INDEX public.sales_sum RENAME TO orders_total
ALTER INDEX public.orders_total RENAME TO sales_sum;

-- rename constraint orders_customer of public.sales to sales_customer
-- reverse: ALTER TABLE public.sales RENAME CONSTRAINT sales_customer TO orders_customer
ALTER TABLE public.sales RENAME CONSTRAINT orders_customer TO sales_customer;


-- rename column public.orders.total to berth_1
-- reverse: ALTER TABLE public.orders RENAME COLUMN berth_1 TO total
ALTER TABLE public.orders RENAME COLUMN total TO berth_1;

-- rename column public.orders.rate to total
-- reverse: ALTER TABLE public.orders RENAME COLUMN total TO rate
ALTER TABLE public.orders RENAME COLUMN rate TO total;

-- rename column public.orders.berth_1 to rate
-- reverse: ALTER TABLE public.orders RENAME COLUMN rate TO berth_1
ALTER TABLE public.orders RENAME COLUMN berth_1 TO rate;

-- rename table public.customers to berth_1
-- reverse: ALTER TABLE public.berth_1 RENAME TO customers
ALTER TABLE public.customers RENAME TO berth_1;

-- rename table public.orders to customers
-- reverse: ALTER TABLE public.customers RENAME TO orders
ALTER TABLE public.orders RENAME TO customers;

-- rename table public.berth_1 to orders
-- reverse: ALTER TABLE public.orders RENAME TO berth_1
ALTER TABLE public.berth_1 RENAME TO orders;

-- rename index public.customers_email to berth_2
-- reverse: ALTER INDEX public.berth_2 RENAME TO customers_email
ALTER INDEX public.customers_email RENAME TO berth_2;

-- rename index public.orders_total to customers_email
-- reverse: ALTER INDEX public.customers_email RENAME TO orders_total
ALTER INDEX public.orders_total RENAME TO customers_email;

-- rename index public.berth_2 to orders_total
-- reverse: ALTER INDEX public.orders_total RENAME TO berth_2
ALTER INDEX public.berth_2 RENAME TO orders_total;


-- drop table public.orders
-- risk: data_loss
DROP TABLE public.orders;

-- drop table public.customers
-- risk: data_loss
DROP TABLE public.customers;


-- drop foreign key orders_customer of public.orders
-- reverse: ALTER TABLE public.orders ADD CONSTRAINT orders_customer FOREIGN KEY (customer) REFERENCES public.customers (id) ON DELETE CASCADE
ALTER TABLE public.orders DROP CONSTRAINT orders_customer;

-- drop index customers_email on public.customers
-- reverse: CREATE UNIQUE INDEX customers_email ON public.customers (email)
DROP INDEX public.customers_email;

-- drop check orders_positive of public.orders
-- reverse: ALTER TABLE public.orders ADD CONSTRAINT orders_positive CHECK (total >= 0)
ALTER TABLE public.orders DROP CONSTRAINT orders_positive;

-- drop index orders_total on public.orders
-- reverse: CREATE INDEX orders_total ON public.orders (total DESC) WHERE (total > 10)
DROP INDEX public.orders_total;

-- create index orders_total on public.orders
-- risk: blocks_writes
-- risk: may_fail
-- reverse: DROP INDEX public.orders_total
CREATE UNIQUE INDEX orders_total ON public.orders (total, id) WHERE (state = 'open');

-- add check orders_positive of public.orders
-- risk: may_fail
-- risk: blocks_writes
-- reverse: ALTER TABLE public.orders DROP CONSTRAINT orders_positive
ALTER TABLE public.orders ADD CONSTRAINT orders_positive CHECK (total > 0 and rate<1);

-- add foreign key orders_customer of public.orders
-- risk: may_fail
-- risk: blocks_writes
-- reverse: ALTER TABLE public.orders DROP CONSTRAINT orders_customer
ALTER TABLE public.orders ADD CONSTRAINT orders_customer FOREIGN KEY (customer) REFERENCES public.customers (id) ON DELETE SET NULL ON UPDATE RESTRICT;


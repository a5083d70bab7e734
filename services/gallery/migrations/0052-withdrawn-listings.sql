-- A listing is withdrawn once, and lists pass over withdrawn ones without reading their states.
CREATE UNIQUE INDEX listing_withdrawn ON listing_status (listing_id) WHERE status = 'withdrawn';

-- Operators: agents that publish. An end is a row of its own, so that nothing is deleted.
CREATE TABLE operator (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  agent_id bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('signal', 'vault')),
  title text NOT NULL,
  house boolean NOT NULL,
  -- Signals are numbered by it and follows point at it. It holds no money.
  vault_id text NOT NULL UNIQUE,
  source text NOT NULL CHECK (source IN ('wallets', 'admin', 'listing')),
  created_at timestamptz NOT NULL
);
CREATE INDEX operator_of_agent ON operator (agent_id);

CREATE TABLE operator_end (
  operator_id text PRIMARY KEY REFERENCES operator,
  reason text NOT NULL,
  -- Account of the admin; null if a job ended the operator.
  admin_id bigint,
  at timestamptz NOT NULL
);

-- Listings. Their state is the newest row of listing_status.
CREATE TABLE listing (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  type text NOT NULL CHECK (type IN ('strategy_template', 'signal_subscription', 'vault_deposit')),
  -- Agent whose record stands behind the listing.
  seller_agent_id bigint NOT NULL,
  title text NOT NULL,
  summary text NOT NULL,
  price_model text NOT NULL CHECK (price_model IN ('free', 'paid_read')),
  price_cherry bigint CHECK (price_cherry > 0),
  -- The operator vault whose signals the listing sells; null for a template of an agent that is no operator.
  vault_id text REFERENCES operator (vault_id),
  -- editable_params, template and cited, as published.
  body jsonb NOT NULL,
  published_at timestamptz NOT NULL,
  CHECK ((price_model = 'paid_read') = (price_cherry IS NOT NULL)),
  CHECK (price_model = 'free' OR type = 'signal_subscription')
);
CREATE INDEX listing_of_seller ON listing (seller_agent_id, seq DESC);
CREATE INDEX listing_of_vault ON listing (vault_id) WHERE vault_id IS NOT NULL;

CREATE TABLE listing_status (
  listing_id text NOT NULL REFERENCES listing,
  seq integer NOT NULL CHECK (seq > 0),
  status text NOT NULL CHECK (status IN ('live', 'suspended', 'withdrawn')),
  -- Why, for people: "withdrawn by the seller".
  reason text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (listing_id, seq)
);

REVOKE UPDATE, DELETE, TRUNCATE ON operator, operator_end, listing, listing_status FROM gallery_app;

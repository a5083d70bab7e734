-- Paper books. Each row of a book has the next number of its count (seq), so that fills, funding and equity have one
-- order and the book can be computed again from them. Writers of a book hold the lock of its row.
CREATE TABLE paper_book (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  book text NOT NULL UNIQUE CHECK (book ~ '^pbk_[0-9a-f]{32}$'),
  owner_id bigint NOT NULL,
  name text NOT NULL,
  start_usdc numeric(30, 6) NOT NULL CHECK (start_usdc > 0),
  -- start − bought + sold − fees + funding + covered. The equity is cash + Σ size × mark.
  cash_usdc numeric(30, 6) NOT NULL,
  fees_usdc numeric(30, 6) NOT NULL DEFAULT 0,
  funding_usdc numeric(30, 6) NOT NULL DEFAULT 0,
  -- Highest equity so far, and the greatest fall from it.
  peak_usdc numeric(30, 6) NOT NULL CHECK (peak_usdc > 0),
  max_drawdown_bps integer NOT NULL DEFAULT 0 CHECK (max_drawdown_bps BETWEEN 0 AND 10000),
  -- Number of the newest row of the book.
  seq bigint NOT NULL,
  has_positions boolean NOT NULL DEFAULT false,
  -- Time of the newest row of the equity series.
  charted_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX paper_book_owner ON paper_book (owner_id, id);
CREATE INDEX paper_book_open ON paper_book (id) WHERE has_positions;

-- What a book holds in a market. The row stays when the position is closed.
CREATE TABLE paper_position (
  book_id bigint NOT NULL REFERENCES paper_book,
  coin text NOT NULL,
  -- Negative for a short position; 0 when flat.
  size numeric NOT NULL,
  entry_price numeric,
  mark_price numeric NOT NULL CHECK (mark_price > 0),
  max_leverage integer NOT NULL CHECK (max_leverage > 0),
  marked_at timestamptz NOT NULL,
  -- Time of the newest fill, and the full hour at or before it.
  changed_at timestamptz NOT NULL,
  changed_hour timestamptz NOT NULL,
  -- Last hour whose funding is paid, or not owed.
  funded_to timestamptz NOT NULL,
  PRIMARY KEY (book_id, coin),
  CHECK ((size = 0) = (entry_price IS NULL))
) WITH (fillfactor = 70);
-- Positions that funding may be owed for: those held now, and those that were closed since the last paid hour.
CREATE INDEX paper_position_owing ON paper_position (coin, funded_to)
  WHERE size <> 0 OR funded_to < changed_hour;

-- What orders and liquidations filled; one row each. A row without a size is an order that missed.
CREATE TABLE paper_fill (
  book_id bigint NOT NULL REFERENCES paper_book,
  seq bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('order', 'liquidation')),
  -- Id of the order: one order is filled once.
  order_id text UNIQUE,
  agent_id bigint,
  coin text NOT NULL,
  side text NOT NULL CHECK (side IN ('buy', 'sell')),
  opening boolean NOT NULL,
  asked_size numeric NOT NULL CHECK (asked_size > 0),
  size numeric NOT NULL CHECK (size BETWEEN 0 AND asked_size),
  average_price numeric,
  worst_price numeric,
  limit_price numeric,
  mark_price numeric NOT NULL,
  notional_usdc numeric(30, 6) NOT NULL,
  fee_usdc numeric(30, 6) NOT NULL,
  closed_pnl_usdc numeric(30, 6) NOT NULL,
  covered_usdc numeric(30, 6) NOT NULL DEFAULT 0,
  -- The position and the book after it.
  position_size numeric NOT NULL,
  position_entry_price numeric,
  liquidation_price numeric,
  equity_usdc numeric(30, 6) NOT NULL,
  book_at timestamptz,
  filled_at timestamptz NOT NULL,
  PRIMARY KEY (book_id, seq),
  CHECK ((kind = 'order') = (order_id IS NOT NULL))
);
CREATE INDEX paper_fill_coin ON paper_fill (book_id, coin, filled_at);
REVOKE UPDATE, DELETE, TRUNCATE ON paper_fill FROM hl_trade_app;

-- Rate of an hour as the venue published it, and the oracle price that was read first at or after the hour.
CREATE TABLE paper_hour (
  coin text NOT NULL,
  hour timestamptz NOT NULL,
  oracle_price numeric NOT NULL CHECK (oracle_price > 0),
  oracle_at timestamptz NOT NULL,
  -- Null until the rate is known, and if the venue published none (`known`).
  rate numeric,
  known boolean NOT NULL DEFAULT false,
  PRIMARY KEY (coin, hour)
);

-- Funding of a position in an hour, once.
CREATE TABLE paper_funding (
  book_id bigint NOT NULL REFERENCES paper_book,
  coin text NOT NULL,
  hour timestamptz NOT NULL,
  seq bigint NOT NULL,
  size numeric NOT NULL,
  oracle_price numeric NOT NULL,
  rate numeric NOT NULL,
  usdc numeric(30, 6) NOT NULL,
  paid_at timestamptz NOT NULL,
  PRIMARY KEY (book_id, coin, hour),
  UNIQUE (book_id, seq)
);
REVOKE UPDATE, DELETE, TRUNCATE ON paper_funding FROM hl_trade_app;

-- The equity series, with the mark prices that it was computed from, by coin.
CREATE TABLE paper_equity (
  book_id bigint NOT NULL REFERENCES paper_book,
  seq bigint NOT NULL,
  at timestamptz NOT NULL,
  cause text NOT NULL CHECK (cause IN ('start', 'fill', 'hour', 'liquidation')),
  equity_usdc numeric(30, 6) NOT NULL,
  marks jsonb NOT NULL,
  PRIMARY KEY (book_id, seq)
);
REVOKE UPDATE, TRUNCATE ON paper_equity FROM hl_trade_app;
CREATE INDEX paper_equity_hour ON paper_equity (at) WHERE cause = 'hour';

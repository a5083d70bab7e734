-- Effects outside that must happen at most once (packages/outbound): their states beside the columns of their kind.
-- suits the last release: it writes none of these columns, and their defaults fulfil the conditions.
ALTER TABLE transfer
  ADD COLUMN effect_state text NOT NULL DEFAULT 'planned' CHECK (effect_state IN ('planned', 'signed', 'sent', 'ended')),
  ADD COLUMN effect_since timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN effect_outcome text CHECK (effect_outcome IN ('done', 'partial', 'refused', 'expired', 'replaced', 'abandoned')),
  -- What proved the end.
  ADD COLUMN effect_evidence json,
  -- Copies that have left or may have left, each counted before it leaves.
  ADD COLUMN effect_copies integer NOT NULL DEFAULT 0 CHECK (effect_copies >= 0),
  -- No counted copy takes effect later, by the clock of its kind; null once one was counted: that time never comes.
  ADD COLUMN effect_over_after bigint,
  ADD COLUMN effect_contradictions integer NOT NULL DEFAULT 0,
  -- The process that works on it, and until when nobody else does.
  ADD COLUMN effect_claim text,
  ADD COLUMN effect_claim_until timestamptz,
  -- When a job works on it again.
  ADD COLUMN effect_next_at timestamptz NOT NULL DEFAULT 'epoch',
  -- When the neighbours acknowledged the end.
  ADD COLUMN effect_informed_at timestamptz,
  ADD CONSTRAINT transfer_effect_ended CHECK ((effect_state = 'ended') = (effect_outcome IS NOT NULL));

-- Rows of the last release.
UPDATE "transfer" SET effect_state = (CASE WHEN venue = 'signed' THEN 'sent'
      WHEN venue = 'none' AND open AND kind IN ('fund', 'return', 'activation', 'refund') THEN 'planned' ELSE 'ended' END), effect_since = now(),
  effect_outcome = CASE WHEN (CASE WHEN venue = 'signed' THEN 'sent'
      WHEN venue = 'none' AND open AND kind IN ('fund', 'return', 'activation', 'refund') THEN 'planned' ELSE 'ended' END) = 'ended' THEN (CASE venue WHEN 'landed' THEN 'done' WHEN 'refused' THEN 'refused' ELSE 'abandoned' END) END,
  effect_copies = greatest(effect_copies, copies_unknown), effect_over_after = (nonce + 176400000),
  effect_informed_at = CASE WHEN (CASE WHEN venue = 'signed' THEN 'sent'
      WHEN venue = 'none' AND open AND kind IN ('fund', 'return', 'activation', 'refund') THEN 'planned' ELSE 'ended' END) = 'ended' THEN now() END
WHERE effect_informed_at IS NULL AND effect_state <> (CASE WHEN venue = 'signed' THEN 'sent'
      WHEN venue = 'none' AND open AND kind IN ('fund', 'return', 'activation', 'refund') THEN 'planned' ELSE 'ended' END) AND (effect_state = 'planned' OR (CASE WHEN venue = 'signed' THEN 'sent'
      WHEN venue = 'none' AND open AND kind IN ('fund', 'return', 'activation', 'refund') THEN 'planned' ELSE 'ended' END) = 'ended');

-- suits the last release: its writers wait for a moment; the rows of a table of effects are few.
CREATE INDEX transfer_effect_due ON transfer (effect_next_at) WHERE effect_informed_at IS NULL;

-- Effects outside that must happen at most once (packages/outbound): their states beside the columns of their kind.
-- suits the last release: it writes none of these columns, and their defaults fulfil the conditions.
ALTER TABLE leg_order
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
  ADD CONSTRAINT leg_order_effect_ended CHECK ((effect_state = 'ended') = (effect_outcome IS NOT NULL));

-- Rows of the last release.
UPDATE "leg_order" SET effect_state = (CASE state WHEN 'judging' THEN 'planned' WHEN 'signed' THEN 'sent' ELSE 'ended' END), effect_since = now(),
  effect_outcome = CASE WHEN (CASE state WHEN 'judging' THEN 'planned' WHEN 'signed' THEN 'sent' ELSE 'ended' END) = 'ended' THEN (CASE WHEN signer IS NULL THEN 'abandoned' WHEN state = 'filled' THEN 'done' WHEN state = 'partial' THEN 'partial'
      WHEN state = 'rejected' THEN 'refused' ELSE 'expired' END) END,
  effect_copies = greatest(effect_copies, (CASE WHEN body IS NULL THEN 0 ELSE sends END)), effect_over_after = expires_after,
  effect_informed_at = CASE WHEN (CASE state WHEN 'judging' THEN 'planned' WHEN 'signed' THEN 'sent' ELSE 'ended' END) = 'ended' AND (told_at IS NOT NULL AND (signer IS NULL OR receipt IS NOT NULL)) THEN now() END
WHERE effect_informed_at IS NULL AND effect_state <> (CASE state WHEN 'judging' THEN 'planned' WHEN 'signed' THEN 'sent' ELSE 'ended' END) AND (effect_state = 'planned' OR (CASE state WHEN 'judging' THEN 'planned' WHEN 'signed' THEN 'sent' ELSE 'ended' END) = 'ended');

-- suits the last release: its writers wait for a moment; the rows of a table of effects are few.
CREATE INDEX leg_order_effect_due ON leg_order (effect_next_at) WHERE effect_informed_at IS NULL;

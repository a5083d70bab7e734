import { sql } from '@svc/postgres'
import { outcomes, states } from './states.ts'

type Fragment = ReturnType<typeof sql.fragment>

/** SQL expressions over a row that a release without the shared columns wrote. They contain no values. */
export interface FormerRows {
  /** The state of the row. */
  readonly state: Fragment
  /** The outcome of a row that has ended. */
  readonly outcome: Fragment
  /** How many copies may have left of the row. */
  readonly copies: Fragment
  /** The time after which none of them takes effect; null: that time never comes. */
  readonly overAfter: Fragment
  /** True for a row that has ended if the neighbours know its end; default: they know the end of each. */
  readonly informed?: Fragment
}

/**
 * Returns the statement that fills the shared columns of rows that the last release changed, before or after the migration. Run
 * again it changes nothing more, so a job may begin with it while both releases run.
 */
export const adoptionOf = (table: string, { state, outcome, copies, overAfter, informed }: FormerRows) => sql.unsafe`
UPDATE ${sql.identifier([table])} SET effect_state = ${state}, effect_since = now(),
  effect_outcome = CASE WHEN ${state} = 'ended' THEN ${outcome} END,
  effect_copies = greatest(effect_copies, ${copies}), effect_over_after = ${overAfter},
  effect_informed_at = CASE WHEN ${state} = 'ended'${informed === undefined ? sql.fragment`` : sql.fragment` AND ${informed}`} THEN now() END
WHERE effect_informed_at IS NULL AND effect_state <> ${state} AND (effect_state = 'planned' OR ${state} = 'ended')`

const listed = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ')

/**
 * Returns the migration that makes effects of the rows of a table: the shared columns beside its own ones, filled for the rows
 * that exist.
 */
export function migrationOf(table: string, former: FormerRows): string {
  return `-- Effects outside that must happen at most once (packages/outbound): their states beside the columns of their kind.
-- suits the last release: it writes none of these columns, and their defaults fulfil the conditions.
ALTER TABLE ${table}
  ADD COLUMN effect_state text NOT NULL DEFAULT 'planned' CHECK (effect_state IN (${listed(states)})),
  ADD COLUMN effect_since timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN effect_outcome text CHECK (effect_outcome IN (${listed(outcomes)})),
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
  ADD CONSTRAINT ${table}_effect_ended CHECK ((effect_state = 'ended') = (effect_outcome IS NOT NULL));

-- Rows of the last release.${adoptionOf(table, former).sql};

-- suits the last release: its writers wait for a moment; the rows of a table of effects are few.
CREATE INDEX ${table}_effect_due ON ${table} (effect_next_at) WHERE effect_informed_at IS NULL;
`
}

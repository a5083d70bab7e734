import { LEG_MANDATES_MAX } from '@svc/contracts/mandates/leg'
import { sql, units, type Db } from '@svc/postgres'
import { z } from 'zod'
import { alive, mandateOf, mandates, ofParty, partyKind, type Party } from '#mandate/store/mandates.ts'
import { vaultRow } from '#books/store/vaults.ts'

const legMandateRow = mandates.row
  .extend({
    vault: vaultRow.nullable(),
    terms_hash: z.string().nullable(),
    signed_markets: z.array(z.string()).nullable(),
    calls_listed: z.boolean(),
    agent_acted_at: z.string().nullable(),
    marked_at: z.string().nullable(),
    marked: units.nullable(),
    moved: units.nullable(),
  })
  .transform(
    ({ vault, terms_hash, signed_markets, calls_listed, agent_acted_at, marked_at, marked, moved, ...row }) => ({
      mandate: mandateOf(row),
      vault,
      termsHash: terms_hash,
      /** Markets of the newest signed terms; null before the first signature. */
      signedMarkets: signed_markets,
      /** Whether those terms list any call, so that the vault may have positions. */
      callsListed: calls_listed,
      agentActedAt: agent_acted_at,
      /** The newest mark of vault and positions, and what was paid into the vault and out of it since, in base units. */
      mark: marked_at === null || marked === null ? null : { at: marked_at, worth: marked + (moved ?? 0n) },
    }),
  )
/** A mandate with what hl-leg knows of it. */
export type LegMandateRow = z.output<typeof legMandateRow>

/** Which mandates are read: that of a party, those with these ids, or those between an owner and an agent. */
export type Selection =
  | { readonly publicId: string; readonly party: Party }
  | { readonly publicIds: readonly string[] }
  | { readonly ownerId: number; readonly agentId: number }

/** The condition of a selection; each kind is a prepared statement of its own, because planning the statement costs more than running it. */
function selected(selection: Selection) {
  if ('party' in selection)
    return {
      kind: partyKind(selection.party),
      which: sql.fragment`public_id = ${selection.publicId} AND ${ofParty(selection.party)}`,
    }
  if ('publicIds' in selection)
    return { kind: 'ids', which: sql.fragment`public_id = ANY(${sql.array([...selection.publicIds], 'text')})` }
  const which = sql.fragment`owner_id = ${selection.ownerId} AND agent_id = ${selection.agentId}`
  return { kind: 'pair', which }
}

/**
 * Returns mandates with their vaults for the leg. The worth of the vault is that of the newest mark with the deposits,
 * withdrawals and leg transfers of later blocks: a mark alone would count money twice that has gone to the leg since.
 */
export function legMandates(db: Db, selection: Selection, now: Date): Promise<readonly LegMandateRow[]> {
  const { kind, which } = selected(selection)
  // Each part is an index scan for each mandate; working mandates come first, then the order is that of the ids.
  return db.any(sql.prepared(`leg_mandates_${kind}`, legMandateRow)`
    SELECT ${mandates.list},
      (SELECT to_jsonb(v) FROM vault v WHERE v.mandate_id = mandate.id AND v.canonical) AS vault,
      terms_hash, signed_markets, coalesce(calls_listed, false) AS calls_listed,
      (SELECT at FROM agent_act WHERE mandate_id = mandate.id) AS agent_acted_at,
      marked_at, marked, moved
    FROM mandate
    LEFT JOIN LATERAL (
      SELECT terms_hash, ARRAY(SELECT jsonb_array_elements(terms->'markets')->>'id') AS signed_markets,
        jsonb_path_exists(terms, '$.markets[*].calls[*]') AS calls_listed
      FROM signed_terms WHERE mandate_id = mandate.id ORDER BY n DESC LIMIT 1) AS signed ON true
    LEFT JOIN LATERAL (
      SELECT at AS marked_at, vault_worth + positions_worth AS marked, block_number AS marked_block FROM worth
      WHERE mandate_id = mandate.id AND positions_worth IS NOT NULL ORDER BY at DESC LIMIT 1) AS mark ON true
    LEFT JOIN LATERAL (
      SELECT sum((f.args->>'amount')::numeric * CASE WHEN f.name IN ('Deposited', 'LegReturned') THEN 1 ELSE -1 END) AS moved
      FROM vault v JOIN chain_fact f ON f.chain_id = v.chain_id AND f.vault = v.address
      WHERE v.mandate_id = mandate.id AND f.canonical AND f.block_number > marked_block
        AND f.name IN ('Deposited', 'Withdrawn', 'LegFunded', 'LegReturned')) AS since ON true
    WHERE ${which} AND owner_id IS NOT NULL AND ${alive(now)}
    ORDER BY state <> 'working', public_id LIMIT ${LEG_MANDATES_MAX}`)
}

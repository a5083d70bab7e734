import { z } from 'zod'
import { vaultRefusalKinds } from '../chain-indexer/attempts.ts'
import { instant } from '../common.ts'
import { usdc } from './fields.ts'

/** Kinds of refusals: the vault's five, the service's own, and the owner's no. */
export const refusalKind = z.enum([...vaultRefusalKinds, 'server_guard', 'owner_declined'])
export type RefusalKindName = z.output<typeof refusalKind>

/** Where a refusal was seen. */
export const refusalSource = z.enum(['chain', 'venue', 'server', 'agent', 'owner'])

const figure = z.string().max(100).nullable()
const unit = z.enum(['usdc', 'unix_seconds', 'bps', 'call'])
const clauseNumber = z.literal([1, 2, 3, 4, 5, 6, 7, 8])

/** The standard refusal block, with the verdict of each clause. With `kind` null nothing refuses. */
export const refusalBlock = z
  .object({
    kind: refusalKind.nullable(),
    code: z.string().max(60).nullable().meta({ description: 'Machine word; null when nothing refuses' }),
    clause: clauseNumber.nullable().meta({ description: 'The clause that refuses; null when no clause says it' }),
    source: refusalSource,
    limit: figure,
    attempted: figure,
    remaining: figure,
    unit: unit.nullable(),
    fix: z.string().max(500).nullable(),
    verdicts: z
      .array(
        z.object({
          clause: clauseNumber,
          limit: figure,
          used: figure,
          would_be: figure,
          headroom: figure,
          unit,
          verdict: z.enum(['pass', 'refuse', 'unknown']),
          enforced_by: z.enum(['contract', 'venue', 'guard', 'server']),
        }),
      )
      .max(8)
      .meta({ description: 'Each clause judged on its own; null is unknown or not applicable' }),
    max_passing_amount_usdc: usdc
      .nullable()
      .meta({ description: 'Largest amount that passes now; "0": only calls that spend nothing; null: none' }),
    warning: z
      .object({
        code: z.enum(['would_revert', 'not_checked']),
        error: z.string().max(200).nullable().meta({ description: 'What the vault reverts with' }),
        target_error: z.string().max(200).nullable().meta({ description: 'What the target reverts with' }),
        detail: z.string().max(500),
      })
      .optional()
      .meta({ description: 'Only where a dry call was asked for and did not succeed' }),
    resets_at: instant.nullable().meta({ description: 'When the daily cap starts anew, if it refuses' }),
  })
  .meta({ title: 'RefusalBlock', description: 'Standard refusal block' })
export type RefusalBlockView = z.output<typeof refusalBlock>

import { z } from 'zod'
import { vaultRefusalKinds } from '../chain-indexer/attempts.ts'
import { instant } from '../common.ts'
import { usdc } from './fields.ts'

/** Kinds of refusal: five of the vault, one of the service, and the owner's decline. */
export const refusalKind = z.enum([...vaultRefusalKinds, 'server_guard', 'owner_declined'])
export type RefusalKindName = z.output<typeof refusalKind>

/** Who refused, or reported the refusal. */
export const refusalSource = z.enum(['chain', 'venue', 'server', 'agent', 'owner'])

const figure = z.string().max(100).nullable()
const unit = z.enum(['usdc', 'unix_seconds', 'bps', 'call'])
const clauseNumber = z.literal([1, 2, 3, 4, 5, 6, 7, 8])

/** The standard refusal block with the verdict of each clause; `kind` is null if nothing refuses. */
export const refusalBlock = z
  .object({
    kind: refusalKind.nullable(),
    code: z.string().max(60).nullable().meta({ description: 'Machine-readable cause; null if nothing refuses' }),
    clause: clauseNumber.nullable().meta({ description: 'The clause that refuses; null if no clause is the cause' }),
    source: refusalSource,
    limit: figure,
    attempted: figure,
    remaining: figure,
    unit: z.enum([...unit.options, 'cherry']).nullable(),
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
      .meta({ description: 'Each clause judged alone; null means unknown or not applicable' }),
    max_passing_amount_usdc: usdc.nullable().meta({
      description:
        'Largest amount that passes now; "0": only calls that spend nothing pass; null: none passes, or a limit of the leg refuses, whose fix says what passes',
    }),
    warning: z
      .object({
        code: z.enum(['would_revert', 'not_checked']),
        error: z.string().max(200).nullable().meta({ description: 'Error of the vault' }),
        target_error: z.string().max(200).nullable().meta({ description: 'Error of the target' }),
        detail: z.string().max(500),
      })
      .optional()
      .meta({ description: 'Set only if a check was requested and the call did not succeed' }),
    resets_at: instant.nullable().meta({ description: 'When the daily cap resets, if the daily cap refuses' }),
  })
  .meta({ title: 'RefusalBlock', description: 'Standard refusal block' })
export type RefusalBlockView = z.output<typeof refusalBlock>

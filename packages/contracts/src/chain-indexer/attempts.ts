import { event, job } from '@svc/contract'
import { z } from 'zod'
import { walletAddress } from '../common.ts'
import { factFields, place, selector4, uintText } from './fact.ts'
import { eventArgs } from './vaults.ts'

/** Reverts of `execute` that are refusals of the mandate; every other one is a failure, not a refusal. */
export const vaultRefusalKinds = [
  'TargetNotAllowed',
  'OverPerTxCap',
  'OverDailyCap',
  'MandateStopped',
  'MandateEnded',
] as const
export const vaultRefusalKind = z.enum(vaultRefusalKinds)

/** What a revert is, read. */
export const revertRead = z.object({
  name: z.string().max(80).nullable().meta({ description: 'Custom error, `Error` or `Panic`; null when unknown' }),
  selector: selector4.nullable(),
  args: eventArgs,
  refusal_kind: vaultRefusalKind.nullable(),
  inner: z
    .object({ name: z.string().max(80).nullable(), selector: selector4.nullable(), args: eventArgs })
    .nullable()
    .meta({ description: "The target's own error inside `TargetCallFailed`" }),
})
export type RevertRead = z.output<typeof revertRead>

/**
 * A mined `execute` from the agent's wallet to a vault that reverted. `refusal`: the mandate refused, `kind` says why.
 * `target_failed`: the target's own call failed. `other`: another revert of the vault. `out_of_gas`: the gas limit
 * was too low. `unknown`: nothing could be established. Only `refusal` is a refusal of the mandate.
 */
export const revertedAttempt = z.object({
  ...place,
  tx_index: z.int().min(0).max(1_000_000),
  revision: factFields.revision,
  canonical: z.boolean(),
  vault: walletAddress,
  agent: walletAddress,
  target: walletAddress,
  selector: selector4.nullable(),
  approve_amount: uintText,
  outcome: z.enum(['refusal', 'target_failed', 'other', 'out_of_gas', 'unknown']),
  kind: vaultRefusalKind.nullable(),
  revert: revertRead.nullable(),
  evidence: z.enum(['recomputed+replayed', 'recomputed', 'replayed', 'none']).meta({
    description:
      '`recomputed` from the stored events, `replayed` by eth_call at the parent block or the same block; a node that no longer has the old state leaves `recomputed` alone',
  }),
})
export type RevertedAttempt = z.output<typeof revertedAttempt>

/** What happens to reverted calls. */
export const attemptEvents = {
  attemptReverted: event({
    summary: "The agent's call of a vault was mined and reverted, or a reorganisation took that away",
    payload: revertedAttempt,
  }),
} as const

/** The job that finds reverted calls. */
export const attemptJobs = {
  reverts: job({
    summary: 'Scan blocks for reverted calls of agents; everyMs is HUB_VAULT_EVENTS_SEC',
    everyMs: 15_000,
    dryRun: 'vaultEventsDryRun',
    max: 150,
    budgetSec: 60,
  }),
} as const

import { event, job } from '@svc/contract'
import { z } from 'zod'
import { walletAddress } from '../common.ts'
import { factFields, place, selector4, uintText } from './fact.ts'
import { eventArgs } from './vaults.ts'

/** Errors of `execute` that are refusals of the mandate; every other error is a failure. */
export const vaultRefusalKinds = [
  'TargetNotAllowed',
  'OverPerTxCap',
  'OverDailyCap',
  'MandateStopped',
  'MandateEnded',
] as const
export const vaultRefusalKind = z.enum(vaultRefusalKinds)

/** A decoded revert. */
export const revertRead = z.object({
  name: z
    .string()
    .max(80)
    .nullable()
    .meta({ description: 'Name of the custom error, `Error` or `Panic`; null if unknown' }),
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
 * A mined and reverted `execute` from the agent's wallet to a vault. `refusal`: the mandate refused the call for the reason
 * `kind`. `target_failed`: the call of the target failed. `other`: another error of the vault. `out_of_gas`: the gas limit
 * was too low. `unknown`: the reason could not be determined. Only `refusal` is a refusal of the mandate.
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

/** Events of reverted calls. */
export const attemptEvents = {
  attemptReverted: event({
    money: true,
    summary: "An agent's call of a vault was mined and reverted, or a reorganisation removed it",
    payload: revertedAttempt,
  }),
} as const

/** The job that finds reverted calls. */
export const attemptJobs = {
  reverts: job({
    summary: 'Find reverted calls of agents in new blocks; everyMs is HUB_VAULT_EVENTS_SEC',
    everyMs: 15_000,
    dryRun: 'vaultEventsDryRun',
    max: 150,
    budgetSec: 60,
  }),
} as const

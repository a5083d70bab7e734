import { z } from 'zod'

/** Id of a follow. */
export const followId = z
  .string()
  .regex(/^fol_[a-z0-9]{20}$/, 'is not a follow id')
  .max(24)
  .meta({ description: 'Follow: a mandate that follows the signals of an operator vault' })

/** What the house runner decided on a signal. */
export const liveVerdicts = [
  'followed',
  'skipped_stale',
  'skipped_limit',
  'skipped_no_leg',
  'skipped_no_runner_key',
  'skipped_unpaid',
  'refused',
  'failed',
] as const
export type LiveVerdict = (typeof liveVerdicts)[number]

/** Verdict on a signal; a dry run writes `dry_` before it and orders nothing. */
export const verdictKind = z.enum([
  ...liveVerdicts,
  ...liveVerdicts.map((verdict): `dry_${LiveVerdict}` => `dry_${verdict}`),
])

/** Why a follow ended. */
export const followEndReason = z.enum([
  'released',
  'listing_withdrawn',
  'listing_suspended',
  'operator_ended',
  'mandate_stopped',
  'agent_changed',
  'leg_released',
])
export type FollowEndReason = z.output<typeof followEndReason>

import { event, job, operation } from '@svc/contract'
import { z } from 'zod'
import { instant, okTrue, walletAddress } from '../common.ts'
import { callers, factFields, place, uintText } from './fact.ts'
import { chainIndexerRefusals } from './refusals.ts'

const { chainNotConfigured } = chainIndexerRefusals

/** USDC that arrived at a watched address. Identified by (`chain_id`, `tx_hash`, `address`, `transfer_ordinal`). */
export const deposit = z.object({
  ...place,
  address: walletAddress,
  transfer_ordinal: z
    .int()
    .min(0)
    .max(1_000_000)
    .meta({ description: 'Index among the USDC transfers to this address in the transaction, from 0' }),
  from: walletAddress,
  asset: walletAddress.meta({ description: 'USDC contract' }),
  amount: uintText,
  status: z.enum(['pending', 'confirmed', 'orphaned']),
  revision: factFields.revision,
})
export type Deposit = z.output<typeof deposit>

/** The operation that watches an address for deposits. */
export const depositOperations = {
  watchAddress: operation({
    summary: 'Watch an address for arriving USDC, for another service',
    description:
      'Safe to repeat. `since` is the time of registration, by default now: transfers after it are found, at most HUB_DEPOSIT_BACKFILL_LOOKBACK blocks back.',
    auth: 'service',
    callers,
    input: z.strictObject({
      address: walletAddress,
      kind: z.enum(['agent_wallet', 'vault']),
      since: instant.optional(),
    }),
    success: { 200: z.object({ ok: okTrue }) },
    refusals: [chainNotConfigured],
  }),
} as const

/** Events of deposits. */
export const depositEvents = {
  depositSeen: event({ money: true, summary: 'USDC arrived at a watched address', payload: deposit }),
  depositConfirmed: event({
    money: true,
    summary: 'The receipt of a deposit was found HUB_CONFIRMATIONS deep',
    payload: deposit,
  }),
  depositOrphaned: event({
    money: true,
    summary: 'A deposit is no longer in the chain; it may return with a higher revision',
    payload: deposit,
  }),
} as const

/** The job that finds deposits. */
export const depositJobs = {
  depositWatch: job({
    summary:
      'Find USDC that arrives at watched addresses and check confirmed deposits again; everyMs is HUB_POLL_SECONDS',
    everyMs: 5_000,
    dryRun: 'depositDryRun',
    max: 4_000,
    budgetSec: 60,
  }),
} as const

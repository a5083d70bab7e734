import { job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, cherry, instant, queryInt } from '../common.ts'
import { sha256 } from './ledger.ts'

/** Days for which the proofs under a root are kept; the roots stay for ever. */
export const PROOF_DAYS = 7
/** Levels of a tree at most: 2^40 accounts. */
const LEVELS_MAX = 40

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
const day = z.iso.date().max(10).meta({ description: 'UTC day of the root', example: '2026-11-21' })
const jws = z.string().max(2_000).meta({
  description:
    'Compact JWS of typ "balance-root+json" over {day, accounts, root, computed_at, signed_at}; the key is in /.well-known/jwks.json',
})

export const noBalanceProof = refusal('no_balance_proof', {
  status: 404,
  title: 'No proof yet',
  meaning: 'No signed root covers your account on this day.',
  fix: 'Repeat without day, or after the next UTC midnight; GET /subscriptions/cherries/roots lists the days that have a root. Proofs are kept for seven days.',
})

const root = {
  day,
  accounts: count.meta({ description: 'Accounts that the root covers' }),
  root: sha256.meta({ description: 'Root of the Merkle tree over all accounts' }),
  computed_at: instant,
  jws,
}

/** Proofs that a balance is the one that everybody was shown a root of. */
export const balanceProofOperations = {
  readBalanceProof: operation({
    summary: 'Read the proof that your Cherry balance is in the signed root of a day',
    description:
      'The leaf states how many entries your account had, their sum, and the hash of the newest one; GET /subscriptions/cherries/history gives the entries with their hashes. tools/verify-balance checks all of it without us.',
    auth: 'account',
    http: 'GET /subscriptions/cherries/proof',
    input: z.strictObject({
      day: day.optional().meta({ description: 'UTC day of the root; default: the newest that covers your account' }),
    }),
    success: {
      200: z.object({
        account_id: accountId,
        genesis: sha256.meta({ description: 'Random bytes before the first entry; only you can read them' }),
        leaf: z.object({ entries: count, balance: cherry, head: sha256 }),
        position: count.meta({ description: 'Place of the leaf in the tree, from 0' }),
        path: z.array(sha256).max(LEVELS_MAX).meta({ description: 'Hashes beside the way from the leaf to the root' }),
        ...root,
      }),
    },
    refusals: [noBalanceProof],
  }),
  listBalanceRoots: operation({
    summary: 'List the signed roots over all Cherry balances, newest first',
    auth: 'open',
    http: 'GET /subscriptions/cherries/roots',
    cacheSec: 60,
    sharedAnswer: true,
    input: z.strictObject({ limit: queryInt(1, 366, 31, 'Days of a page') }),
    success: { 200: z.object({ items: z.array(z.object(root)).max(366) }) },
  }),
} as const

export const balanceProofJobs = {
  publishBalanceRoot: job({
    summary: 'Compute the Merkle root over all Cherry balances once a UTC day, and have it signed',
    everyMs: 300_000,
    max: 1,
    budgetSec: 120,
    dryRun: 'balanceRootDryRun',
  }),
} as const

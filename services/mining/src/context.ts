import { randomBytes } from 'node:crypto'
import { gallery } from '@svc/contracts/gallery'
import { identity } from '@svc/contracts/identity'
import { marketData, type Pair } from '@svc/contracts/market-data'
import type { mining } from '@svc/contracts/mining'
import { subscriptions } from '@svc/contracts/subscriptions'
import type { Pool } from '@svc/postgres'
import { clientOf, isOutage, type Clock, type Kit, type Local, type Log } from '@svc/service'
import { publicPolicy, type PublicPolicy } from '@svc/service/public-web'
import { pairFinder } from './submissions/pair-finder.ts'

/** Longest wait for gallery: prices do not depend on it. */
const PAID_READS_WITHIN_MS = 2_000

/** A listing whose signals cost Cherry. */
export interface PaidRead {
  readonly listing_id: string
  readonly title: string
  readonly price_cherry: number
}

/** Everything that the functions of mining may use. */
export interface Context {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
  /** Cherry paid for mining per account and UTC day. */
  readonly dailyLimit: number
  readonly fetchPolicy: PublicPolicy
  newSubmissionId(): string
  /** Returns the pair of the board; null if the board has none. */
  findPair(exchange: string, symbol: string): Promise<Pair | null>
  /** Returns the accounts of the account's party, the account included. */
  relatedAccounts(accountId: number): Promise<readonly number[]>
  /** Returns the Cherry balance of an account. */
  balanceOf(accountId: number): Promise<number>
  /** Returns the prices of signals that are for sale; null while gallery is unreachable. */
  paidReads(): Promise<readonly PaidRead[] | null>
}

/** What a reaction may use inside its transaction. */
export type LocalContext = Local<Context, 'clock'>

/** Builds the context of a starting service. */
export function createContext(kit: Kit<typeof mining>): Context {
  const ask = {
    identity: clientOf(kit.bus, 'mining', identity),
    marketData: clientOf(kit.bus, 'mining', marketData),
    subscriptions: clientOf(kit.bus, 'mining', subscriptions),
    gallery: clientOf(kit.bus, 'mining', gallery),
  }
  return {
    pool: kit.pool,
    clock: kit.clock,
    log: kit.log,
    dailyLimit: kit.settings.dailyLimit,
    fetchPolicy: publicPolicy({ timeoutMs: kit.settings.evidenceTimeoutMs, maxBytes: kit.settings.evidenceMaxBytes }),
    newSubmissionId: () => `sub_${randomBytes(16).toString('hex')}`,
    findPair: pairFinder(async (pairs) => (await ask.marketData.findPairs({ pairs })).pairs, kit.clock),
    relatedAccounts: async (account_id) => (await ask.identity.relatedAccounts({ account_id })).account_ids,
    balanceOf: async (account_id) => (await ask.subscriptions.miningBalance({ account_id, limit: 1 })).balance,
    paidReads: async () => {
      try {
        return (await ask.gallery.listPaidReads({}, { deadline: Date.now() + PAID_READS_WITHIN_MS })).items
      } catch (error) {
        if (isOutage(error)) return null
        throw error
      }
    },
  }
}

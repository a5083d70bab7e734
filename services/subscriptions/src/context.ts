import { identity } from '@svc/contracts/identity'
import { marketData } from '@svc/contracts/market-data'
import type { subscriptions } from '@svc/contracts/subscriptions'
import type { Pool } from '@svc/postgres'
import { clientOf, isOutage, type Clock, type Kit, type Log } from '@svc/service'

export type AccountKind = 'agent' | 'owner'

/** Everything that the functions of this service may touch. */
export interface Context {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
  /** Asks identity what an account is; null when there is none. */
  kindOf(accountId: number): Promise<AccountKind | null>
  /** Asks market-data how many targets an account has; null when it cannot say now. */
  targetsUsedBy(accountId: number): Promise<number | null>
}

/** Builds the context of a starting service. */
export function createContext(kit: Kit<typeof subscriptions>): Context {
  const accounts = clientOf(kit.bus, 'subscriptions', identity)
  const markets = clientOf(kit.bus, 'subscriptions', marketData)
  return {
    pool: kit.pool,
    clock: kit.clock,
    log: kit.log,
    kindOf: async (accountId) => (await accounts.getAccounts({ account_ids: [accountId] })).accounts[0]?.kind ?? null,
    targetsUsedBy: async (account_id) => {
      try {
        return (await markets.countTargets({ account_id })).active
      } catch (error) {
        if (isOutage(error)) return null
        throw error
      }
    },
  }
}

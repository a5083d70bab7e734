import { identity } from '@svc/contracts/identity'
import { marketData } from '@svc/contracts/market-data'
import { researchReports } from '@svc/contracts/research-reports'
import type { subscriptions } from '@svc/contracts/subscriptions'
import type { Pool } from '@svc/postgres'
import { clientOf, isOutage, type Clock, type Kit, type Local, type Log } from '@svc/service'

export type AccountKind = 'agent' | 'owner'

/** Everything that the functions of subscriptions may use. */
export interface Context {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
  /** Returns the kind of an account; null for an unknown one. Asks identity. */
  kindOf(accountId: number): Promise<AccountKind | null>
  /** Returns how many targets an account has; null while market-data is unreachable. */
  targetsUsedBy(accountId: number): Promise<number | null>
  /** Returns how many reports an account has made in the UTC month; null while research-reports is unreachable. */
  reportsUsedBy(accountId: number): Promise<number | null>
}

/** What a reaction may use inside its transaction. */
export type LocalContext = Local<Context, 'clock'>

/** Builds the context of a starting service. */
export function createContext(kit: Kit<typeof subscriptions>): Context {
  const accounts = clientOf(kit.bus, 'subscriptions', identity)
  const markets = clientOf(kit.bus, 'subscriptions', marketData)
  const reports = clientOf(kit.bus, 'subscriptions', researchReports)
  return {
    pool: kit.pool,
    clock: kit.clock,
    log: kit.log,
    kindOf: async (accountId) => (await accounts.getAccounts({ account_ids: [accountId] })).accounts[0]?.kind ?? null,
    targetsUsedBy: async (account_id) => orUnknown(async () => (await markets.countTargets({ account_id })).active),
    reportsUsedBy: async (account_id) => orUnknown(async () => (await reports.countReports({ account_id })).used),
  }
}

/** Returns the answer of another service; null while it is down. */
async function orUnknown(ask: () => Promise<number>): Promise<number | null> {
  try {
    return await ask()
  } catch (error) {
    if (isOutage(error)) return null
    throw error
  }
}

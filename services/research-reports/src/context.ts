import { identity } from '@svc/contracts/identity'
import { marketData } from '@svc/contracts/market-data'
import type { TargetHistory } from '@svc/contracts/market-data/research'
import type { TargetsOfAccount } from '@svc/contracts/market-data/targets'
import type { researchReports } from '@svc/contracts/research-reports'
import { subscriptions } from '@svc/contracts/subscriptions'
import type { Pool } from '@svc/postgres'
import type { Renderer } from '@svc/report-drawing/renderer'
import { clientOf, openFiles, type Clock, type Files, type Kit, type Log } from '@svc/service'
import { onchainReader, type ReadOnchain } from './research/onchain-reader.ts'
import type { MadePdf } from './reports/pdf/document.ts'
import { openReportRenderer } from './reports/pdf/renderer.ts'

/** Everything that the functions of research-reports may use. */
export interface Context {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
  readonly files: Files
  readonly renderer: Renderer<string, MadePdf>
  /** Longest wait for a file, in milliseconds, before the answer is 202. */
  readonly waitMs: number
  /** Returns the history of a target; refuses a pair that is not a target of the account. */
  readHistory(accountId: number, exchange: string, symbol: string, days: number): Promise<TargetHistory>
  /** Returns the targets of an account. */
  readTargets(accountId: number): Promise<TargetsOfAccount>
  /** Returns the owner that an agent is paired with; null without one, or for an unknown agent. */
  ownerOfAgent(agentId: number): Promise<number | null>
  /** Returns the tier of an account now. */
  tierOf(accountId: number): Promise<number>
  readonly readOnchain: ReadOnchain
  /** Whether the board has the pair. */
  isKnownPair(exchange: string, symbol: string): Promise<boolean>
}

/** Builds the context of a starting service. */
export async function createContext(kit: Kit<typeof researchReports>): Promise<Context> {
  const ask = clientOf(kit.bus, 'research-reports', marketData)
  const accounts = clientOf(kit.bus, 'research-reports', identity)
  const ledger = clientOf(kit.bus, 'research-reports', subscriptions)
  return {
    pool: kit.pool,
    clock: kit.clock,
    log: kit.log,
    files: await openFiles(kit.bus, 'reports'),
    renderer: openReportRenderer(),
    waitMs: kit.settings.waitMs,
    readHistory: (account_id, exchange, symbol, days) => ask.readTargetHistory({ account_id, exchange, symbol, days }),
    readTargets: (account_id) => ask.readTargets({ account_id }),
    ownerOfAgent: async (id) => (await accounts.readAgents({ agent_ids: [id] })).agents[0]?.owner?.owner_id ?? null,
    tierOf: async (id) => (await ledger.resolveTiers({ account_ids: [id] })).items[0]?.tier ?? 0,
    readOnchain: onchainReader(kit.bus, kit.clock),
    isKnownPair: async (exchange, symbol) => (await ask.findPairs({ pairs: [{ exchange, symbol }] })).pairs[0] != null,
  }
}

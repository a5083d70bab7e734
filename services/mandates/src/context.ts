import { randomBytes } from 'node:crypto'
import type { SettingsOf } from '@svc/contract'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import type { ChainTransaction } from '@svc/contracts/chain-indexer-facts'
import { identity } from '@svc/contracts/identity'
import type { AgentPolicy } from '@svc/contracts/identity-agents'
import type { mandates } from '@svc/contracts/mandates'
import type { Market } from '@svc/contracts/mandates-drafts'
import type { mandatesSettings } from '@svc/contracts/mandates-settings'
import type { Pool } from '@svc/postgres'
import { clientOf, type Clock, type Kit, type Log } from '@svc/service'
import type { Hex } from 'viem'
import { actingParts, type ActingParts } from './acting-parts.ts'
import { openLiveReader, type LiveReader } from './live-reader.ts'
import { marketsOf } from './market-catalogue.ts'
import { whereConfigured } from './or-null.ts'
import { placeOf, type Place } from './place.ts'

/** An agent as identity knows it. */
export interface Agent {
  readonly agent_id: number
  readonly wallet: string
  readonly policy: AgentPolicy
  readonly last_seen_at: string | null
  readonly channel: 'http' | 'mcp' | null
}

/** What a call that is not sent answers; null data is a revert. */
export interface Simulated {
  readonly data: Hex | null
}

/** Everything the functions of mandates may touch. */
export interface Context {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
  readonly settings: SettingsOf<typeof mandatesSettings>
  readonly place: Place
  readonly markets: readonly Market[]
  readonly acting: ActingParts
  /** What is polled of a mandate; null for whom it is not there. */
  readonly liveOf: LiveReader
  newPublicId(): string
  newClaimToken(): string
  /** The agent account; null when there is none. */
  findAgent(agentId: number): Promise<Agent | null>
  /** A transaction as the chain has it now; null while no chain is configured. An outage after the deadline, where one is given. */
  readTransaction(txHash: string, deadline?: number): Promise<ChainTransaction | null>
  /** Block up to which, exclusively, the sweep has told what it found; null while no chain is configured. */
  sweptBlock(): Promise<number | null>
  /** Runs a call without sending it, or creation code without `to`; null while no chain is configured. */
  simulate(call: { to?: string; from?: string; data: Hex }): Promise<Simulated | null>
}

/** Builds the context of a starting service. */
export function createContext(kit: Kit<typeof mandates>): Context {
  const accounts = clientOf(kit.bus, 'mandates', identity)
  const chain = clientOf(kit.bus, 'mandates', chainIndexer)
  const place = placeOf(kit.settings)
  return {
    pool: kit.pool,
    clock: kit.clock,
    log: kit.log,
    settings: kit.settings,
    place,
    markets: marketsOf(place),
    acting: actingParts(kit.bus, kit.settings),
    liveOf: openLiveReader(kit.pool),
    newPublicId: () => `mdt_${randomBytes(16).toString('hex')}`,
    newClaimToken: () => randomBytes(32).toString('base64url'),
    findAgent: async (agentId) => (await accounts.readAgents({ agent_ids: [agentId] })).agents[0] ?? null,
    readTransaction: (tx_hash, deadline) =>
      whereConfigured(chain.readTransaction({ tx_hash }, deadline === undefined ? {} : { deadline })),
    sweptBlock: async () => {
      const head = await whereConfigured(chain.readHead({}))
      return head?.streams.find(({ stream }) => stream === 'vault_events')?.next_block ?? null
    },
    simulate: async (call) => {
      const answer = await whereConfigured(chain.simulateCall(call))
      return answer === null ? null : { data: answer.ok ? (answer.data as Hex | null) : null }
    },
  }
}

import { ok, refuse } from '@svc/contract'
import { identity } from '@svc/contracts/identity'
import { subscriptions } from '@svc/contracts/subscriptions'
import { marketData } from '@svc/contracts/market-data'
import { notATarget, type TargetHistory } from '@svc/contracts/market-data/research'
import { miningRefusals } from '@svc/contracts/mining/refusals'
import { chainIndexer, chainIndexerRefusals } from '@svc/contracts/chain-indexer'
import { type AnyHandler, type RunningService } from '@svc/service'
import { type TestStack, startPeer } from '@svc/testing'

/** What market-data knows; tests change it. */
export interface World {
  /** By `<account> <exchange> <symbol>`. */
  readonly histories: Map<string, TargetHistory>
  /** Days asked for, in order. */
  readonly asked: number[]
  /** Owners of paired agents, and tiers of accounts; unknown accounts are on Free. */
  readonly owners: Map<number, number>
  readonly tiers: Map<number, 0 | 1 | 2>
  /** What chain-indexer reads: the id of its chain, and answers by the data of the call; absent ones revert. */
  chain: { readonly id: number; readonly answers: ReadonlyMap<string, string> } | null
}

const isKnown = (exchange: string, symbol: string) => exchange === 'binance' && !symbol.startsWith('NO')

/** market-data as a real service over real NATS that answers from `world`. */
export function startMarketData(stack: TestStack, world: World): Promise<RunningService> {
  const answers: Record<string, AnyHandler> = {
    readTargetHistory: async (input: { account_id: number; exchange: string; symbol: string; days: number }) => {
      world.asked.push(input.days)
      if (!isKnown(input.exchange, input.symbol)) return refuse(miningRefusals.unknownPair)
      const history = world.histories.get(`${input.account_id} ${input.exchange} ${input.symbol}`)
      return history === undefined ? refuse(notATarget) : ok(200, history)
    },
    readTargets: async ({ account_id }: { account_id: number }) =>
      ok(200, { used: 0, targets: [], exchanges: [{ exchange: `of${account_id}`, scan_capacity: 8, scan_pairs: 1 }] }),
    findPairs: async (input: { pairs: { exchange: string; symbol: string }[] }) =>
      ok(200, {
        pairs: input.pairs.map(({ exchange, symbol }) => {
          const [base = '', quote = ''] = symbol.split('/')
          return isKnown(exchange, symbol)
            ? { token_id: `${exchange}_${base}_${quote}`.toLowerCase(), exchange, symbol, base, quote, name: null }
            : null
        }),
      }),
  }
  return startPeer(stack, marketData, { answers })
}

/** chain-indexer as a real service over real NATS that answers from `world`; `block_number` is that of its head. */
export function startChainIndexer(stack: TestStack, world: World): Promise<RunningService> {
  const head = { head: 900, head_hash: `0x${'9'.repeat(64)}`, head_time: '2026-11-21T08:30:00.000Z', safe_head: 890 }
  const answers: Record<string, AnyHandler> = {
    readHead: async () => {
      if (world.chain === null) return refuse(chainIndexerRefusals.chainNotConfigured)
      const addresses = { usdc: null, factory: null, factory_v2: null }
      return ok(200, { chain_id: world.chain.id, ...head, addresses, streams: [] })
    },
    simulateCall: async (input: { data: string; block_number?: number }) => {
      if (input.block_number !== head.head) throw new Error('the call is not of the block of the head')
      const data = world.chain?.answers.get(input.data) ?? null
      return ok(200, { ok: data !== null, data, revert: null })
    },
  }
  return startPeer(stack, chainIndexer, { answers })
}

/** identity and subscriptions as real services over real NATS that answer from `world`. */
export async function startAccounts(stack: TestStack, world: World): Promise<RunningService[]> {
  const readAgents: AnyHandler = async ({ agent_ids }: { agent_ids: number[] }) =>
    ok(200, {
      agents: agent_ids.map((agent_id) => {
        const owner_id = world.owners.get(agent_id)
        if (owner_id === undefined) return null
        const wallet = `0x${'1'.repeat(40)}`
        const policy = {
          accepts_mandates: true,
          max_open_mandates: null,
          max_budget_usdc: null,
          per_tx_cap_usdc: null,
          daily_cap_usdc: null,
          allowed_markets: null,
          approval_above_usdc: null,
          daily_cherry_budget: null,
        }
        const seen = { last_seen_at: null, channel: null }
        return { agent_id, name: 'agent', wallet, owner: { owner_id, wallet }, policy, access_ends_at: null, ...seen }
      }),
    })
  const resolveTiers: AnyHandler = async ({ account_ids }: { account_ids: number[] }) =>
    ok(200, {
      items: account_ids.map((account_id) => ({ account_id, tier: world.tiers.get(account_id) ?? 0, ends_at: null })),
    })
  return [
    await startPeer(stack, identity, { answers: { readAgents } }),
    await startPeer(stack, subscriptions, { answers: { resolveTiers } }),
  ]
}

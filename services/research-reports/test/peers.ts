import { ok, refuse } from '@svc/contract'
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

import { ok, type Contract } from '@svc/contract'
import { gallery } from '@svc/contracts/gallery'
import { identity } from '@svc/contracts/identity'
import { marketData, type Pair } from '@svc/contracts/market-data'
import { mining } from '@svc/contracts/mining'
import { subscriptions } from '@svc/contracts/subscriptions'
import { emit } from '@svc/postgres'
import { Outage, type AnyHandler, type Reaction, type RunningService } from '@svc/service'
import { type TestStack, startPeer } from '@svc/testing'

/** What the neighbours of mining know; tests change it. */
export interface World {
  /** Accounts of one party, by account. */
  readonly related: Map<number, number[]>
  /** Cherry the ledger has booked, by submission: every release that arrives is a line. */
  readonly booked: { submission_id: string; account_id: number; cherry: number }[]
  /** Listings whose signals cost Cherry; null while gallery is away. */
  paidReads: { listing_id: string; title: string; price_cherry: number }[] | null
}

const pairOf = (exchange: string, symbol: string): Pair | null => {
  const [base = '', quote = ''] = symbol.split('/')
  return exchange === 'binance' && !base.startsWith('NO')
    ? { token_id: `${exchange}_${base}_${quote}`.toLowerCase(), exchange, symbol, base, quote, name: null }
    : null
}

/** Neighbours of mining as real services over real NATS that answer from `world`. */
export async function startPeers(stack: TestStack, world: World): Promise<readonly RunningService[]> {
  const findPairs: AnyHandler = async (input: { pairs: { exchange: string; symbol: string }[] }) =>
    ok(200, { pairs: input.pairs.map((pair) => pairOf(pair.exchange, pair.symbol)) })
  const relatedAccounts: AnyHandler = async (input: { account_id: number }) =>
    ok(200, { account_ids: world.related.get(input.account_id) ?? [input.account_id] })
  const miningBalance: AnyHandler = async (input: { account_id: number }) => {
    const mine = world.booked.filter((line) => line.account_id === input.account_id)
    return ok(200, { balance: mine.reduce((sum, line) => sum + line.cherry, 0), rewards: [] })
  }
  const listPaidReads: AnyHandler = async () => {
    if (world.paidReads === null) throw new Outage('test', 'gallery is away')
    return ok(200, { items: world.paidReads })
  }
  const book: Reaction<{ submission_id: string; account_id: number; cherry: number }> = {
    apply: async (tx, { payload }) => {
      world.booked.push(payload)
      await emit(tx, subscriptions.events.cherryMoved, {
        transfer_id: world.booked.length,
        account_id: payload.account_id,
        amount: payload.cherry,
        kind: 'mining_reward',
        reference: payload.submission_id,
      })
    },
  }
  return Promise.all([
    startPeer(stack, marketData, { answers: { findPairs } }),
    startPeer(stack, gallery, { answers: { listPaidReads } }),
    startPeer(stack, identity, { answers: { relatedAccounts } }),
    startPeer(stack, subscriptions, {
      answers: { miningBalance },
      hears: [identity, mining, marketData] as unknown as Contract[],
      reactions: { 'mining.payoutReleased': book as Reaction },
    }),
  ])
}

import type { Contract } from '@svc/contract'
import { feeds, type FeedKey } from '@svc/contracts/subscriptions/feed-catalogue'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { identity } from '@svc/contracts/identity'
import { marketData } from '@svc/contracts/market-data'
import { mining } from '@svc/contracts/mining'
import { subscriptions } from '@svc/contracts/subscriptions'
import { openPool, type Pool } from '@svc/postgres'
import { type Reaction } from '@svc/service'
import { type TestStack, startPeer } from '@svc/testing'

interface Item {
  readonly feed_key: FeedKey
  readonly data: Record<string, unknown>
}

/** subscriptions and mining as services that publish what a test has them say, and hear what market-data tells. */
export interface Neighbours {
  readonly subscriptions: Pool
  readonly mining: Pool
  /** Items of a feed that were told so far; each is checked against the feed's schema. */
  told(feed: FeedKey): readonly Record<string, unknown>[]
  stop(): Promise<void>
}

/** Leaves items for `npm run examples`, which chooses the sample of each feed among them. */
function recordItems(items: readonly Item[]): void {
  const folder = process.env['TEST_OUTCOMES']
  if (folder === undefined || process.env['TEST_EXAMPLES'] === undefined) return
  const lines = items.map(({ feed_key, data }) =>
    JSON.stringify({ key: `feed.${feed_key}`, body: JSON.stringify(data) }),
  )
  appendFileSync(join(folder, `${process.pid}.bodies`), [...lines, ''].join('\n'))
}

export async function startNeighbours(stack: TestStack): Promise<Neighbours> {
  const items: Item[] = []
  const hear: Reaction<Item> = {
    apply: async (_tx, { payload }) => {
      items.push(payload)
    },
  }
  const hears = [identity, mining, subscriptions, marketData] as unknown as Contract[]
  const reactions = { 'market-data.feedItemMade': hear as Reaction }
  const services = await Promise.all(
    [subscriptions, mining].map((contract) => startPeer(stack, contract, { emits: true, hears, reactions })),
  )
  const [first, second] = await Promise.all(
    [subscriptions, mining].map((contract) => openPool(stack.databaseOf(contract.name).url)),
  )
  if (first === undefined || second === undefined) throw new Error('both have a schema')
  return {
    subscriptions: first,
    mining: second,
    told: (feed) => {
      const own = items.filter((item) => item.feed_key === feed).map((item) => item.data)
      for (const data of own) feeds[feed].data.parse(data)
      return own
    },
    stop: async () => {
      recordItems(items)
      await Promise.all(services.map((one) => one.stop()))
      await Promise.all([first.end(), second.end()])
    },
  }
}

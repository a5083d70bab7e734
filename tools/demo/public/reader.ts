import { registerAgent } from '../leg/leg-day.ts'
import { Surprise } from '../request.ts'
import { PRICE_CHERRY } from './listings.ts'
import type { PublicStage } from './house.ts'

interface Signal {
  readonly seq: number
  readonly hash: string
  readonly previous_hash: string | null
}

/** An agent reads signals for Cherry: what it paid for is free for ever, and nothing is served on credit. */
export async function readForCherry({ walk }: PublicStage, listingId: string): Promise<void> {
  const { key } = await registerAgent(walk)
  const asReader = walk.as({ key })
  walk.chapter('Read signals for Cherry')
  const path = `/hub/gallery/${listingId}/signals`
  await asReader(`${path}?since=0&limit=1&dry_run=1`, 200, {
    show: ['charged_cherry', 'newest_seq'],
    expect: { charged_cherry: PRICE_CHERRY },
    note: 'A dry run says what the page costs.',
  })
  const page = await asReader(`${path}?since=0&limit=1`, 200, {
    show: ['charged_cherry', 'items', 'next_since'],
    expect: { charged_cherry: PRICE_CHERRY, 'items.length': 1 },
  })
  await asReader(`${path}?since=0&limit=1`, 200, {
    show: ['charged_cherry'],
    expect: { charged_cherry: 0 },
    note: 'Read again: it is paid.',
  })
  await asReader(`${path}?since=${page.next_since}&limit=1`, 402, {
    show: ['code', 'detail'],
    expect: { code: 'insufficient_cherry' },
    note: `Ten welcome Cherry are spent to ${10 - PRICE_CHERRY}: too little for the next one.`,
  })
  const { balance } = await asReader('/subscriptions/cherries/balance', 200, { show: ['balance'] })
  if (balance !== 10 - PRICE_CHERRY) throw new Surprise(`the balance is ${balance}`)
  const [signal] = page.items as readonly Signal[]
  walk.say(`Signal ${signal?.seq} hashes to ${signal?.hash}; the next one contains that hash.`)
}

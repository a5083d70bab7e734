import { registerAgent } from '../leg/leg-day.ts'
import { Surprise } from '../request.ts'
import { PRICE_CHERRY } from './listings.ts'
import type { PublicStage } from './house.ts'

interface Signal {
  readonly seq: number
  readonly hash: string
  readonly previous_hash: string | null
}

const offerIdOf = ({ offer }: { offer: { extra: { offer_id: string } } }): string => offer.extra.offer_id

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
  const demanded = await asReader(`${path}?since=0&limit=1`, 402, {
    show: ['code', 'offer.amount', 'offer.scheme'],
    expect: { code: 'payment_required', 'offer.amount': String(PRICE_CHERRY) },
    note: 'The page costs Cherry: the answer offers it, as x402 does.',
  })
  const offered = `${path}?since=0&limit=1&offer_id=${offerIdOf(demanded)}`
  const page = await asReader(offered, 200, {
    show: ['charged_cherry', 'items', 'next_since'],
    expect: { charged_cherry: PRICE_CHERRY, 'items.length': 1 },
  })
  await asReader(offered, 200, {
    show: ['charged_cherry'],
    expect: { charged_cherry: PRICE_CHERRY },
    note: 'The offer is sent again: the same answer, charged once.',
  })
  await asReader(`${path}?since=0&limit=1`, 200, {
    show: ['charged_cherry'],
    expect: { charged_cherry: 0 },
    note: 'Read again: it is paid.',
  })
  const next = `${path}?since=${page.next_since}&limit=1`
  const more = await asReader(next, 402, { show: ['code'], expect: { code: 'payment_required' } })
  await asReader(`${next}&offer_id=${offerIdOf(more)}`, 402, {
    show: ['code', 'detail'],
    expect: { code: 'insufficient_cherry' },
    note: `Ten welcome Cherry are spent to ${10 - PRICE_CHERRY}: too little for the next one.`,
  })
  const { balance } = await asReader('/subscriptions/cherries/balance', 200, { show: ['balance'] })
  if (balance !== 10 - PRICE_CHERRY) throw new Surprise(`the balance is ${balance}`)
  const [signal] = page.items as readonly Signal[]
  walk.say(`Signal ${signal?.seq} hashes to ${signal?.hash}; the next one contains that hash.`)
}

import { RefusalError } from '@svc/contract'
import { setMark, type BookRig } from './book-rig.ts'

/** Markets of scripts with their first price. */
export const COINS = ['BTC', 'ETH', 'SOL', 'xyz:TSLA'] as const
type Coin = (typeof COINS)[number]

/** One thing that happens; steps happen one after the other, the clocks move before each. */
export type Step = { readonly afterMs: number } & (
  | {
      readonly kind: 'fill'
      readonly book: number
      readonly coin: Coin
      readonly side: 'buy' | 'sell'
      readonly amountUsdc: string
      readonly reduceOnly: boolean
    }
  | { readonly kind: 'price'; readonly coin: Coin; readonly factor: string }
  | { readonly kind: 'rate'; readonly coin: Coin; readonly rate: string }
  | { readonly kind: 'depth'; readonly coin: Coin; readonly size: string; readonly levels: number }
  | { readonly kind: 'mark' }
  | { readonly kind: 'fund' }
)

/** Returns numbers from 0 to 1 that follow from a seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Makes a day of trading from a seed: orders of books of all sizes, prices that drift and jump, thin books, funding that
 * changes its sign, and hours in which nothing runs.
 */
export function scriptOf(seed: number, length: number, books: readonly string[]): readonly Step[] {
  const random = randomOf(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const between = (from: number, to: number) => from + random() * (to - from)
  return Array.from({ length }, (): Step => {
    const afterMs = Math.round(random() < 0.04 ? between(1, 4) * 3_600_000 : between(61_000, 600_000))
    const coin = pick(COINS)
    const roll = random()
    if (roll < 0.45) {
      const book = Math.floor(random() * books.length)
      const amountUsdc = (Number(books[book]) * between(0.05, 12)).toFixed(2)
      const side = pick(['buy', 'sell'] as const)
      return { kind: 'fill', afterMs, book, coin, side, amountUsdc, reduceOnly: random() < 0.4 }
    }
    if (roll < 0.6) {
      const factor = random() < 0.25 ? between(0.75, 1.25) : between(0.99, 1.01)
      return { kind: 'price', afterMs, coin, factor: factor.toFixed(4) }
    }
    if (roll < 0.66) return { kind: 'rate', afterMs, coin, rate: between(-0.0005, 0.0005).toFixed(7) }
    if (roll < 0.72) return { kind: 'depth', afterMs, coin, size: pick(['0.05', '1', '50']), levels: pick([1, 5, 20]) }
    return roll < 0.9 ? { kind: 'mark', afterMs } : { kind: 'fund', afterMs }
  })
}

/** What the venue publishes at a moment of a script. */
export interface Published {
  readonly atMs: number
  readonly marks: Readonly<Record<string, string>>
  readonly rates: Readonly<Record<string, string>>
}

/** Reads what the venue publishes now. */
export function publishedBy({ venue, clock }: BookRig): Published {
  const markets = venue.state.dexes.flatMap((dex) =>
    dex.markets.map((market) => ({ ...market, coin: dex.name === '' ? market.name : `${dex.name}:${market.name}` })),
  )
  return {
    atMs: clock.now().getTime(),
    marks: Object.fromEntries(markets.map(({ coin, mark }) => [coin, mark])),
    rates: Object.fromEntries(markets.map(({ coin, funding }) => [coin, funding])),
  }
}

/** Does one step for the books of owners; an order that is refused changes nothing. Returns whether it was done. */
export async function doStep(
  rig: BookRig,
  step: Step,
  { orderId, ownerOf }: { readonly orderId: string; readonly ownerOf: (book: number) => number },
): Promise<boolean> {
  rig.advance(step.afterMs)
  switch (step.kind) {
    case 'fill': {
      const { book, coin, side, amountUsdc, reduceOnly } = step
      try {
        await rig.fill(ownerOf(book), { market: `hl:${coin}`, side, amountUsdc, reduceOnly, orderId })
        return true
      } catch (error) {
        if (error instanceof RefusalError) return false
        throw error
      }
    }
    case 'price': {
      const [, market] = marketOf(rig, step.coin)
      const price = (Number(market.mark) * Number(step.factor)).toPrecision(4)
      setMark(rig.venue, step.coin, String(Number(price)))
      return true
    }
    case 'rate':
      rig.venue.control('funding', { coin: step.coin, rate: step.rate })
      return true
    case 'depth':
      rig.venue.control('book', { coin: step.coin, ladder: { size: step.size, levels: step.levels } })
      return true
    case 'mark':
      await rig.run('markBooks')
      return true
    case 'fund':
      await fundAll(rig)
      return true
  }
}

/** Runs the job until it has nothing left to ask for. */
export async function fundAll(rig: BookRig): Promise<void> {
  for (let run = 0; run < 20; run += 1) {
    const { nextAt } = await rig.run('fundBooks')
    if (nextAt !== undefined && nextAt.getTime() % 3_600_000 === 5_000) return
  }
  throw new Error('the rates of some hours stay unknown')
}

function marketOf({ venue }: BookRig, coin: string) {
  for (const dex of venue.state.dexes)
    for (const market of dex.markets)
      if ((dex.name === '' ? market.name : `${dex.name}:${market.name}`) === coin) return [dex, market] as const
  throw new Error(`no market ${coin}`)
}

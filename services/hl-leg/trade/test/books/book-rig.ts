import { openPool, type Pool } from '@svc/postgres'
import { openLog } from '@svc/service'
import { disposableDatabase, FakeClock } from '@svc/testing'
import { startVenueRig, type VenueRig } from '@svc/venue-rig'
import { randomUUID } from 'node:crypto'
import { fillPaper, type PaperOrder, type PaperResult } from '#books/fill-paper.ts'
import { fundBooks } from '#books/jobs/fund-books.ts'
import { markBooks } from '#books/jobs/mark-books.ts'
import { insertBook, type PaperBook } from '#books/store/books.ts'
import { readPaperScene } from '#books/venue-scene.ts'
import type { Context } from '#context.ts'
import { openVenueClient } from '@svc/venue/venue-client'
import { answerAsRelay } from '../relay-answers.ts'

export const START = '2026-11-20T15:00:10.000Z'
const jobs = { markBooks, fundBooks }
let orders = 0

/** Paper books over real Postgres, with the relay's own functions in this process and the venue on this machine. */
export type BookRig = Awaited<ReturnType<typeof startBookRig>>
/** An order as tests write it; the rest has defaults. */
export type Fill = Partial<Omit<PaperOrder, 'scene' | 'ownerId'>> &
  Pick<PaperOrder, 'side'> & { readonly market?: string }

/** Starts a rig; `opened(startBookRig)` ends it. */
export async function startBookRig() {
  const database = await disposableDatabase('hl-trade', 'hl-leg')
  const pool = await openPool(database.url)
  const venue = await startVenueRig()
  const clock = new FakeClock(START)
  const log = openLog('hl-trade', 'silent')
  venue.control('time', { now_ms: clock.now().getTime() })
  const client = openVenueClient(
    { spend: async () => null, add: async () => {} },
    { network: 'testnet', infoUrl: `${venue.url}/info`, exchangeUrl: `${venue.url}/exchange` },
  )
  const relay = answerAsRelay({ clock, venueUrl: venue.url })
  const context = { pool, clock, log, venue: client, relay: relay.answers } as unknown as Context
  const advance = (ms: number) => {
    clock.advance(ms)
    venue.control('time', { now_ms: clock.now().getTime() })
  }
  return {
    context,
    database,
    pool,
    clock,
    venue,
    advance,
    /** Moves the clocks to the next full hour and some seconds beyond it. */
    toHour: (afterMs = 10_000) => advance(3_600_000 - (clock.now().getTime() % 3_600_000) + afterMs),
    book: (ownerId: number, startUsdc = '10000'): Promise<PaperBook> => newBook(context, ownerId, startUsdc),
    fill: (ownerId: number, order: Fill): Promise<PaperResult> => fill(context, ownerId, order),
    run: (name: keyof typeof jobs, given = context) => jobs[name](given)(AbortSignal.timeout(600_000)),
    stop: async () => {
      await client.close()
      await relay.close()
      await pool.end()
      await venue.close()
      await database.drop()
    },
  }
}

/** Sets the mark and oracle of a market, around which its book refills. */
export const setMark = (venue: VenueRig, coin: string, price: string): unknown => venue.control('mark', { coin, price })

async function newBook({ pool, clock }: Context, ownerId: number, startUsdc: string): Promise<PaperBook> {
  const book = `pbk_${randomUUID().replaceAll('-', '')}`
  const made = await pool.transaction((tx) =>
    insertBook(tx, { book, ownerId, name: 'Test', startUsdc }, clock.now(), 1_000),
  )
  if (made === null) throw new Error('the owner has too many books')
  return made
}

/** An order of an owner's oldest book; it asks for 100 USDC unless it names a size. */
export function orderOf(ownerId: number, order: Omit<Fill, 'market'> & Pick<PaperOrder, 'scene'>): PaperOrder {
  orders += 1
  const amountUsdc = order.size === undefined ? '100' : null
  const defaults = { orderId: `order-${orders}`, agentId: null, book: null, size: null, amountUsdc }
  return { ...defaults, reduceOnly: false, maxSlippage: '0.05', mayOpen: true, ...order, ownerId }
}

async function fill(context: Context, ownerId: number, { market = 'hl:BTC', ...order }: Fill): Promise<PaperResult> {
  const scene = await readPaperScene(context, market)
  return context.pool.transaction((tx) => fillPaper(context, tx, orderOf(ownerId, { ...order, scene })))
}

const STATEMENTS = new Set<PropertyKey>(['any', 'many', 'maybeOne', 'one', 'query'])

/** Counts the statements that a context sends. */
export function counted(context: Context) {
  const counts = { statements: 0 }
  const watch = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (of, name) => {
        const member: unknown = Reflect.get(of, name)
        if (name === 'transaction')
          return (work: (tx: object) => unknown) => (of as Pool).transaction(async (tx) => work(watch(tx)))
        if (typeof member !== 'function') return member
        if (STATEMENTS.has(name)) counts.statements += 1
        return member.bind(of)
      },
    })
  return { counts, context: { ...context, pool: watch(context.pool) } }
}

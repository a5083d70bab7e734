import { join } from 'node:path'
import { NO_LIMITS } from '@svc/tools/dev/no-limits.ts'
import { nodeOptions } from '@svc/tools/dev/services.ts'
import { ask, type Answer } from '@svc/tools/flow/client.ts'
import { signIn } from '@svc/tools/flow/people.ts'
import type pg from 'pg'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { againstBytes } from './bytes-floor.ts'
import { installFloors } from './floors.ts'
import { startProcess } from './processes.ts'
import { times, type Benchmark, type Figure } from './result.ts'
import { openStage, startServices, type Stage } from './stage.ts'
import { median } from './statistics.ts'

const PATH = '/hub/info/meta'
const NAMES = ['identity', 'subscriptions', 'hl-leg', 'hl-relay', 'hl-trade', 'gateway']
const BOOKS = 1_000
/** Perpetuals of the real venue's main dex, so that the answer is as long as there. */
const MARKETS = 230
const COINS = ['BTC', 'ETH', 'SOL']
const SETTINGS = {
  // mandates is left out, so that hl-leg finds nobody to report to.
  SVC_LOG_LEVEL: 'silent',
  // The paper orders of a run are more than the caps of an owner let pass in a day.
  SVC_ORDER_DAILY_CAP_USDC: '1000000',
  ...NO_LIMITS,
}

/** Relays of the venue against bare Fastify, paper orders against an insert, and the jobs over a thousand paper books. */
export const trade: Benchmark = async ({ dataDir, short, note }) => {
  installFloors(note)
  await using stage = await openStage(dataDir, { leg: true })
  listMarkets(stage)
  const figures: Figure[] = []
  {
    await using services = await startServices(stage, { names: NAMES, settings: SETTINGS })
    const url = `http://127.0.0.1:${services.port}`
    await venueIsKnown(url)
    note('trade: GET /hub/info/meta and the same bytes from bare Fastify in turn')
    const { port, pids } = services
    figures.push(
      await againstBytes({
        port,
        pids,
        path: PATH,
        file: join(dataDir, 'meta.json'),
        short,
        goal: 0.8,
        holdsBack: 'Allowance of the address, and the headers of every answer.',
      }),
    )
    note('trade: paper orders and intents in turn')
    figures.push(await ordersAgainstInsert(url, short ? 40 : 120))
  }
  note(`trade: ${BOOKS} paper books with ${COINS.length} positions each`)
  figures.push(await jobsOverBooks(stage, short ? 3 : 5))
  return { figures }
}

/** Lists markets until the main dex has as many as the real one. */
function listMarkets({ prepared }: Stage): void {
  for (let number = 1; number <= MARKETS; number += 1)
    prepared.legVenue?.control('market', {
      dex: '',
      name: `BENCH${number}`,
      sizeDecimals: 2,
      maxLeverage: 10,
      price: '12.345',
      size: '1000',
      volume: '1234567',
    })
}

async function venueIsKnown(url: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const { status, body } = await ask(url, '/ui/trade/products')
    if (status === 200 && body.items.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  throw new Error('the relay does not know the markets of the venue')
}

/** An intent is one insert by the same way: edge, NATS, hl-trade, Postgres. */
async function ordersAgainstInsert(url: string, rounds: number): Promise<Figure> {
  const { token } = await signIn(url, privateKeyToAccount(generatePrivateKey()))
  const timed = async (path: string, body: object, status: number) => {
    const begun = performance.now()
    const answer: Answer = await ask(url, path, { token, body })
    if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return performance.now() - begun
  }
  await timed('/hub/own/paper/books', { name: 'bench', start_usdc: '100000' }, 201)
  const order = { market: 'hl:BTC', side: 'buy', amount_usdc: '50' }
  const orders: number[] = []
  const intents: number[] = []
  for (let round = -10; round < rounds; round += 1) {
    const took = await timed('/hub/order', { ...order, mode: 'paper' }, 200)
    const bare = await timed('/hub/own/intent', order, 201)
    if (round < 0) continue
    orders.push(took)
    intents.push(bare)
  }
  const [p50, floor] = [median(orders), median(intents)]
  return {
    what: '`POST /hub/order` (paper), p50 against one insert by the same way (`POST /hub/own/intent`)',
    goal: '≤ 2 ×',
    measured: `${times(p50 / floor)} (${p50.toFixed(1)} ms; floor ${floor.toFixed(1)} ms)`,
    met: p50 <= 2 * floor,
    holdsBack: 'The price and the book from hl-relay, and the fill, the position and the book in one transaction.',
  }
}

/** Inserts books with positions that owe the funding of one hour, whose rates are known. */
async function seedBooks(admin: pg.Client): Promise<void> {
  await admin.query('SET search_path TO hl_trade')
  await admin.query(
    `INSERT INTO paper_book (book, owner_id, name, start_usdc, cash_usdc, peak_usdc, seq, has_positions, charted_at, created_at)
     SELECT 'pbk_' || lpad(to_hex(n), 32, '0'), 1000000 + n / 10, 'bench', 100000, 100000, 100000, 1, true, now(), now()
     FROM generate_series(1, $1::int) AS n`,
    [BOOKS],
  )
  await admin.query(
    `INSERT INTO paper_position (book_id, coin, size, entry_price, mark_price, max_leverage, marked_at, changed_at, changed_hour, funded_to)
     SELECT b.id, coin, 0.1, 100, 100, 10, now(), now() - interval '3 hours', date_trunc('hour', now() - interval '3 hours'), date_trunc('hour', now())
     FROM paper_book b, unnest($1::text[]) AS coin WHERE b.name = 'bench' AND b.owner_id >= 1000000`,
    [COINS],
  )
  await admin.query('VACUUM (ANALYZE) paper_book, paper_position')
}

/** Makes every position owe the last full hour again, as at the begin of an hour. */
async function oweAnHour(admin: pg.Client): Promise<void> {
  await admin.query('DELETE FROM paper_funding')
  await admin.query(`UPDATE paper_position SET funded_to = date_trunc('hour', now()) - interval '1 hour'`)
  await admin.query(
    `INSERT INTO paper_hour (coin, hour, oracle_price, oracle_at, rate, known)
     SELECT coin, date_trunc('hour', now()), 100, now(), 0.0000125, true FROM unnest($1::text[]) AS coin
     ON CONFLICT (coin, hour) DO UPDATE SET known = true, rate = excluded.rate`,
    [COINS],
  )
}

async function jobsOverBooks(stage: Stage, rounds: number): Promise<Figure> {
  const { admin, prepared } = stage
  await using _ = await startServices(stage, { names: ['identity', 'hl-leg', 'hl-relay'], settings: SETTINGS })
  await seedBooks(admin)
  await using jobs = await startProcess(
    'trade-books.ts',
    prepared.environmentOf('hl-trade') as Record<string, string>,
    nodeOptions,
  )
  const seconds: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    await oweAnHour(admin)
    const report = (await jobs.ask({}, 60_000)) as { marked: number; funded: number; seconds: number }
    if (report.marked < BOOKS || report.funded < BOOKS)
      throw new Error(`${report.marked} books were marked and ${report.funded} funded`)
    if (round > 0) seconds.push(report.seconds)
  }
  const took = median(seconds)
  return {
    what: `${BOOKS.toLocaleString('en')} open paper books with ${COINS.length} positions each, marked and funded for an hour`,
    goal: '≤ 2 s',
    measured: `${took.toFixed(2)} s`,
    met: took <= 2,
    holdsBack: 'Statements over whole batches of 500 books; each writes the rows of its positions.',
  }
}

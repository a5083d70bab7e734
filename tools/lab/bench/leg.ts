import { setTimeout as delay } from 'node:timers/promises'
import { ExchangeClient, HttpTransport } from '@nktkas/hyperliquid'
import { freePort } from '@svc/servers'
import { NO_LIMITS } from '@svc/tools/dev/no-limits.ts'
import { preparePlatform, type Prepared } from '@svc/tools/dev/platform.ts'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openAgent, openLegMandate, type LegMandate } from './leg-people.ts'
import type { Benchmark, BenchOptions, Figure } from './result.ts'
import { startServices } from './stage.ts'
import { median } from './statistics.ts'

/** The services that an order passes, and those that mark its vault. */
const NAMES = ['identity', 'subscriptions', 'chain-indexer', 'mandates', 'keeper', 'hl-leg', 'gateway']
const MANDATES = 20
const LATENCY_MS = 150
/** Between the two readings that must agree. */
const CONFIRM_MS = 2_000
/** Reading all accounts takes no longer. */
const READ_MS = 700
/** The usual order. */
const OPEN = { market: 'hl:BTC', side: 'buy', amount_usdc: '40' } as const
const SETTINGS = {
  SVC_LOG_LEVEL: 'silent',
  ...NO_LIMITS,
  // As deployed.
  SVC_POSTGRES_POOL: '5',
  HUB_LEG_FUNDING: 'off',
  HUB_LEG_MOVER_DRY_RUN: '1',
  HUB_LEG_RECONCILE_DRY_RUN: '1',
  HUB_STOP_LINE_SEC: '5',
  SVC_VENUE_WEIGHT_MINUTE: '10000000',
}

type Venue = NonNullable<Prepared['legVenue']>

/** Orders of legs through the services, and the stop line, against the venue in this process. */
export const leg: Benchmark = async (options) => {
  const { dataDir, short, note } = options
  await using parts = new AsyncDisposableStack()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const platform = await preparePlatform({ dataDir, publicUrl: url, durable: true, chain: true, leg: true })
  parts.defer(() => platform.servers.stop())
  const { chain, legVenue: venue } = platform
  if (chain === null || venue === null) throw new Error('the platform has no chain or no venue')
  parts.use(await startServices({ prepared: platform }, { names: NAMES, settings: SETTINGS, port }))
  await marketsAreKnown(url)
  const place = {
    url,
    chain,
    fund: (address: string, amount: string) => void venue.control('fund', { address, amount }),
  }
  const agent = await openAgent(place)

  note(`leg: ${MANDATES} mandates`)
  const first = await openLegMandate(place, agent)
  const mandates: LegMandate[] = []
  for (let n = 0; n < (short ? 5 : MANDATES); n += 1) mandates.push(await openLegMandate(place, agent))
  const rounds = short ? 20 : 60
  note(`leg: ${rounds} orders through the platform and by the bare client in turn`)
  await warmUp(mandates)
  const orders = await ordersAgainstBare(venue, first, rounds)
  note('leg: signed orders of eight clients at once')
  const rate = await rateOfRig(venue, options)
  note('leg: positions of all mandates on two dexes')
  return { figures: [...orders, rate, await stopLine(venue, mandates)] }
}

async function marketsAreKnown(url: string): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const text = await (await fetch(`${url}/hub/markets`)).text()
    if (text.includes('"hl:BTC"') && text.includes('"hl:xyz:TSLA"') && text.includes('"paper","enforced_by":"guard"')) return
    await delay(1_000)
  }
  throw new Error('mandates does not know the markets of the leg')
}

/** An account with so much money at the venue, and the client of another author that trades for it. */
function bareTrader(venue: Venue) {
  const wallet = privateKeyToAccount(generatePrivateKey())
  venue.control('fund', { address: wallet.address, amount: '100000' })
  const client = new ExchangeClient({ transport: new HttpTransport({ isTestnet: true, apiUrl: venue.url }), wallet })
  let isBuy = false
  return async () => {
    isBuy = !isBuy
    const order = {
      a: 0,
      b: isBuy,
      p: isBuy ? '61000' : '59000',
      s: '0.001',
      r: !isBuy,
      t: { limit: { tif: 'Ioc' as const } },
    }
    await client.order({ orders: [order], grouping: 'na' })
  }
}

/** Opens and closes of each warm-up mandate. */
const WARM_PAIRS = 5

/** Has processes run the code of an order as often as one that has been up for a while, in other accounts than the measured one. */
async function warmUp(mandates: readonly LegMandate[]): Promise<void> {
  for (let round = 0; round < 2 * WARM_PAIRS; round += 1)
    for (const mandate of mandates) await placed(mandate, `warm-${round}`, bodyOf(round))
}

const bodyOf = (round: number) =>
  round % 2 === 0 ? OPEN : { market: 'hl:BTC', side: 'sell', size: '1', reduce_only: true }

async function placed(mandate: LegMandate, key: string, body: object): Promise<void> {
  const { status, body: answer } = await mandate.order(key, body)
  if (status !== 200) throw new Error(`hl-order: ${status} ${JSON.stringify(answer)}`)
}

async function ordersAgainstBare(venue: Venue, mandate: LegMandate, rounds: number): Promise<Figure[]> {
  const timed = async (work: () => Promise<unknown>) => {
    const begun = performance.now()
    await work()
    return performance.now() - begun
  }
  const bare = bareTrader(venue)
  const book = () =>
    fetch(`${venue.url}/info`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'l2Book', coin: 'BTC' }),
    }).then((answer) => answer.text())
  const times = { platform: [] as number[], bare: [] as number[], trip: [] as number[] }
  for (let round = -4; round < rounds; round += 1) {
    const platform = await timed(() => placed(mandate, `bench-${round}`, bodyOf(round)))
    const own = await timed(bare)
    const trip = await timed(book)
    if (round < 0) continue
    times.platform.push(platform)
    times.bare.push(own)
    times.trip.push(trip)
  }
  const [p50, bareMs, tripMs] = [median(times.platform), median(times.bare), median(times.trip)]
  const allowed = bareMs + 2 * tripMs + 15
  return [
    {
      what: '`POST /hub/mandates/{public_id}/hl-order`, p50, against the same order signed and posted by a bare client, two round trips to the venue, and 15 ms',
      goal: `≤ ${allowed.toFixed(1)} ms`,
      measured: `${p50.toFixed(1)} ms (bare ${bareMs.toFixed(1)} ms, round trip ${tripMs.toFixed(1)} ms)`,
      met: p50 <= allowed,
      holdsBack:
        'Three questions between services, three to the venue and fifteen to Postgres, one after the other; four commits among them wait for the disk (order, reservation, signed bytes, end), half a millisecond each.',
    },
  ]
}

async function rateOfRig(venue: Venue, { short }: BenchOptions): Promise<Figure> {
  const traders = Array.from({ length: 8 }, () => bareTrader(venue))
  const end = performance.now() + (short ? 2_000 : 6_000)
  const begun = performance.now()
  let orders = 0
  await Promise.all(
    traders.map(async (trade) => {
      while (performance.now() < end) {
        await trade()
        orders += 1
      }
    }),
  )
  const rate = orders / ((performance.now() - begun) / 1000)
  return {
    what: 'Venue on this machine: signed orders a second, signing included, rig and eight clients in one process',
    goal: '≥ 100',
    measured: rate.toFixed(0),
    met: rate >= 100,
    holdsBack: 'Elliptic curves: each order is signed and its signer recovered, both in JavaScript on one core.',
  }
}

/** Number of orders that the venue has seen. */
const ordersSeen = (venue: Venue) => Number((venue.control('counts') as Record<string, number>)['exchange order'] ?? 0)
const readingsSeen = (venue: Venue) =>
  Number((venue.control('counts') as Record<string, number>)['info clearinghouseState'] ?? 0)

/** How many readings of accounts the venue had seen at an instant, and whether it had seen a close. */
interface Sample {
  readonly at: number
  readonly readings: number
  readonly closing: boolean
}

/** Watches the venue, which had seen `before` orders, until it has seen so many closes, a minute at most. */
async function watchCloses(venue: Venue, before: number, closes: number) {
  const end = performance.now() + 60_000
  const samples: Sample[] = []
  for (;;) {
    const [at, sent] = [performance.now(), ordersSeen(venue) - before]
    samples.push({ at, readings: readingsSeen(venue), closing: sent > 0 })
    if (sent >= closes || at > end) return { samples, sent }
    await delay(5)
  }
}

/**
 * Returns when the stop line began to read the accounts for the first time: all of them together, each on two dexes, and two
 * seconds before anything is closed. Other jobs read accounts too, and nothing is closed two seconds after them.
 */
function firstReading(samples: readonly Sample[], accounts: number): number {
  const firstClose = samples.find(({ closing }) => closing)?.at ?? 0
  const begins = ({ at, readings }: Sample, n: number): boolean => {
    if (at > firstClose - CONFIRM_MS || samples[n + 1]?.readings === readings) return false
    const read = samples.findLast((one) => one.at <= at + READ_MS)?.readings ?? 0
    return read - readings >= 1.5 * accounts
  }
  return (samples.findLast(begins) ?? samples[0])?.at ?? 0
}

async function stopLine(venue: Venue, mandates: readonly LegMandate[]): Promise<Figure> {
  for (const [n, mandate] of mandates.entries())
    for (const market of ['hl:BTC', 'hl:xyz:TSLA'])
      await placed(mandate, `stop-${n}-${market}`, { market, side: 'buy', amount_usdc: '90' })
  for (const endpoint of ['info', 'exchange'])
    venue.control('fault', { kind: 'delay', endpoint, ms: LATENCY_MS, count: 100_000 })
  await delay(1_000)
  const closes = mandates.length * 2
  const before = ordersSeen(venue)
  for (const [coin, price] of [
    ['BTC', '44000'],
    ['xyz:TSLA', '320'],
  ])
    venue.control('mark', { coin, price })
  const { samples, sent } = await watchCloses(venue, before, closes)
  const begun = firstReading(samples, mandates.length)
  const ms = (samples.at(-1)?.at ?? 0) - begun
  venue.control('clear-faults')
  const goal = CONFIRM_MS + 3_000
  return {
    what: `Stop line of ${mandates.length} mandates with positions on two dexes, ${LATENCY_MS} ms to the venue: from the first reading below the line until the last close was sent, with the 2 s between two readings`,
    goal: `≤ ${(goal / 1000).toFixed(0)} s`,
    measured:
      sent < closes
        ? `${sent} of ${closes} closes within a minute`
        : `${(ms / 1000).toFixed(1)} s for ${closes} closes`,
    met: sent >= closes && ms <= goal,
    holdsBack: 'Round trips: accounts are read twice, books once, and each close is stored before it is sent.',
  }
}

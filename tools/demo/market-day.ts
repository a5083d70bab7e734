import { createHash } from 'node:crypto'
import { Surprise } from './request.ts'
import type { Walk } from './walk.ts'

/** A market-data service that has just begun looks at every venue first. */
const BOARD_MS = 120_000
const SCANS_MS = 150_000
const POOL_MS = 90_000
/** Each question counts against the daily allowance. */
const LOOK_EVERY_MS = 1_000
const LANGUAGES = { en: 'English', ko: 'Korean' } as const

/** A pair that is scanned every minute, and how far its agent has read the feed of all such pairs. */
export interface Watched {
  readonly pair: { readonly exchange: string; readonly symbol: string }
  readonly readUpTo: string
}

const queryOf = ({ exchange, symbol }: Watched['pair']) => `exchange=${exchange}&symbol=${encodeURIComponent(symbol)}`

/** The demo's agent goes on: it finds a risky pair, has it scanned and follows the feed of what is scanned. */
export async function watchRiskyPair(walk: Walk, key: string): Promise<Watched> {
  walk.chapter('Find a risky token')
  const graded = async () =>
    (await walk.ask('/risk/bottom?percent=5&limit=1', 200, { key, quiet: true })).body.total > 0
  if (!(await graded())) {
    walk.say('The platform has just begun: waiting for its first board, for at most two minutes.')
    await walk.until('the first board with graded tokens', BOARD_MS, graded, LOOK_EVERY_MS)
  }
  const board = await walk.ask('/board?limit=3', 200, { key })
  walk.say(
    board.body.source === 'replay'
      ? 'The market is made up: the replay exchange stands in for the real ones, and every answer says so.'
      : 'These are the real exchanges.',
  )
  const worst = await walk.ask('/risk/bottom?percent=5&limit=1', 200, { key })
  const [token] = worst.body.tokens
  if (token === undefined) throw new Surprise('no token has a grade point average yet')
  const pair = { exchange: token.exchange as string, symbol: token.symbol as string }

  walk.chapter('Watch it: a scan every minute')
  await walk.ask(`/research/pair?${queryOf(pair)}`, 403, { key, note: 'Research is for targets only.' })
  await walk.ask('/agent/targets/add', 200, { key, body: pair })
  const early = await walk.ask('/reports/pair_pdf', [409, 201], {
    key,
    body: { ...pair, lang: 'en' },
    note: 'A report needs two scans of the pair within the hour.',
  })
  if (early.status === 201) walk.say('Somebody had the pair scanned just now, so the report is there at once.')
  else walk.expect('the code', early.body.code, 'not_enough_data')

  walk.chapter('Follow a feed')
  await walk.ask('/feeds/catalog', 200, {})
  await walk.ask('/feeds/data/priority_pool', 403, { key, note: 'Not subscribed yet.' })
  const subscribed = await walk.ask('/feeds/subscribe', 200, { key, body: { feed_key: 'priority_pool' } })
  return { pair, readUpTo: String(subscribed.body.newest_seq) }
}

/** Once there are two scans the agent reads what is known about the pair, has reports made, and reads the feed. */
export async function readResearch(walk: Walk, key: string, { pair, readUpTo }: Watched): Promise<void> {
  walk.chapter('Read research, have reports made')
  const ok = async () => {
    const { body } = await walk.ask('/agent/targets', 200, { key, quiet: true })
    const found = body.targets.find((one: typeof pair) => one.exchange === pair.exchange && one.symbol === pair.symbol)
    return found?.scan.ok_1h >= 2
  }
  if (!(await ok())) {
    walk.say('Two scans of the target are needed, one a minute: waiting for at most two and a half minutes.')
    await walk.until('two scans of the target', SCANS_MS, ok, LOOK_EVERY_MS)
  }
  await walk.ask('/agent/targets', 200, { key })
  const research = await walk.ask(`/research/pair?${queryOf(pair)}&days=1`, 200, { key })
  walk.expect('the pair', research.body.meta.symbol, pair.symbol)
  for (const [lang, name] of Object.entries(LANGUAGES)) {
    const made = await walk.ask('/reports/pair_pdf', 201, {
      key,
      body: { ...pair, lang, version: 'v2' },
      note: `In ${name}.`,
    })
    const { report_id, sha256, bytes } = made.body
    const file = await walk.download(`/reports/${report_id}`, { key, type: 'application/pdf' })
    walk.expect('the length', file.length, bytes)
    walk.expect('the digest', createHash('sha256').update(file).digest('hex'), sha256)
    walk.expect('the first bytes', file.subarray(0, 5).toString('latin1'), '%PDF-')
  }
  await walk.ask(`/reports?${queryOf(pair)}`, 200, { key })
  await walk.ask('/subscriptions/status', 200, { key })

  walk.chapter('Read the feed')
  const feed = `/feeds/data/priority_pool?since=${readUpTo}`
  const told = async () => (await walk.ask(feed, 200, { key, quiet: true })).body.items.length > 0
  if (!(await told())) {
    walk.say('Each minute is told once it is over: waiting for at most a minute and a half.')
    await walk.until('a minute of the feed', POOL_MS, told, LOOK_EVERY_MS)
  }
  await walk.ask(feed, 200, { key })
  await walk.ask('/agent/targets/remove', 200, { key, body: pair })
}

import { createHash, randomUUID } from 'node:crypto'
import { Surprise } from './request.ts'
import type { Walk } from './walk.ts'

/** Each look counts against the daily allowance. */
const everyMs = 1_000
const LANGUAGES = { en: 'English', ko: 'Korean' } as const

/** A pair that is scanned every minute, and the agent's position in the feed of such pairs. */
export interface Watched {
  readonly pair: { readonly exchange: string; readonly symbol: string }
  readonly readUpTo: string
}

const queryOf = ({ exchange, symbol }: Watched['pair']) => `exchange=${exchange}&symbol=${encodeURIComponent(symbol)}`

/** Finds a risky pair, adds it to the agent's targets and subscribes to the feed of scanned pairs. */
export async function watchRiskyPair(walk: Walk, key: string): Promise<Watched> {
  walk.chapter('Find a risky token')
  const worstOf = '/risk/bottom?percent=5&limit=1'
  const note = 'The platform has just started: waiting for its first board, which takes up to two minutes.'
  await walk.until('the first board with graded tokens', { everyMs, note }, async () => {
    const { body } = await walk.ask(worstOf, 200, { key, quiet: true })
    return body.total > 0
  })
  const board = await walk.ask('/board?limit=3', 200, { key })
  walk.say(
    board.body.source === 'replay'
      ? 'The market is made up: the replay exchange stands in for the real ones, and every answer says so.'
      : 'These are the real exchanges.',
  )
  const { body: worst } = await walk.ask(worstOf, 200, { key })
  const [token] = worst.tokens
  if (token === undefined) throw new Surprise('no token has a grade point average yet')
  const pair = { exchange: token.exchange as string, symbol: token.symbol as string }

  walk.chapter('Watch it: a scan every minute')
  await walk.ask(`/research/pair?${queryOf(pair)}`, 403, { key, note: 'Research is for targets only.' })
  await walk.ask('/agent/targets/add', 200, { key, body: pair })
  const early = await walk.ask('/reports/pair_pdf', [409, 201], {
    key,
    idempotencyKey: randomUUID(),
    body: { ...pair, lang: 'en' },
    note: 'A report needs two scans of the pair within an hour.',
  })
  if (early.status === 201) walk.say('Another agent had the pair scanned just now, so the report exists at once.')
  else walk.expect('the code', early.body.code, 'not_enough_data')

  walk.chapter('Follow a feed')
  await walk.ask('/feeds/catalog', 200)
  await walk.ask('/feeds/data/priority_pool', 403, { key, note: 'Not subscribed yet.' })
  const subscribed = await walk.ask('/feeds/subscribe', 200, { key, body: { feed_key: 'priority_pool' } })
  return { pair, readUpTo: String(subscribed.body.newest_seq) }
}

/** Waits for two scans of the pair, then reads its research, generates reports in two languages and reads the feed. */
export async function readResearch(walk: Walk, key: string, { pair, readUpTo }: Watched): Promise<void> {
  walk.chapter('Read research, generate reports')
  const scans = 'Research needs two scans of the target, one a minute: this takes about two minutes.'
  await walk.until('two scans of the target', { everyMs, note: scans }, async () => {
    const { body } = await walk.ask('/agent/targets', 200, { key, quiet: true })
    const target = body.targets.find((one: typeof pair) => one.exchange === pair.exchange && one.symbol === pair.symbol)
    return target?.scan.ok_1h >= 2
  })
  await walk.ask('/agent/targets', 200, { key })
  await walk.ask(`/research/pair?${queryOf(pair)}&days=1`, 200, { key, expect: { 'meta.symbol': pair.symbol } })
  for (const [lang, name] of Object.entries(LANGUAGES)) {
    const body = { ...pair, lang, version: 'v2' }
    const { body: made } = await walk.ask('/reports/pair_pdf', 201, {
      key,
      idempotencyKey: randomUUID(),
      body,
      note: `In ${name}.`,
    })
    const file = await walk.download(`/reports/${made.report_id}`, { key }, 'application/pdf')
    walk.expect('the length', file.length, made.bytes)
    walk.expect('the digest', createHash('sha256').update(file).digest('hex'), made.sha256)
    walk.expect('the first bytes', file.subarray(0, 5).toString('latin1'), '%PDF-')
  }
  await walk.ask(`/reports?${queryOf(pair)}`, 200, { key })
  await walk.ask('/subscriptions/status', 200, { key })

  walk.chapter('Read the feed')
  const feed = `/feeds/data/priority_pool?since=${readUpTo}`
  const minute = 'The feed publishes each minute once it is over: this takes about a minute.'
  await walk.until('a minute of the feed', { everyMs, note: minute }, async () => {
    const { body } = await walk.ask(feed, 200, { key, quiet: true })
    return body.items.length > 0
  })
  await walk.ask(feed, 200, { key })
  await walk.ask('/agent/targets/remove', 200, { key, body: pair })
}

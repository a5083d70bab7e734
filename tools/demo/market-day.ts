import { createHash } from 'node:crypto'
import { Surprise, type Walk } from './walk.ts'

/** A market-data service that has just begun looks at every venue first. */
const BOARD_MS = 120_000
const SCANS_MS = 150_000
const LANGUAGES = { en: 'English', ko: 'Korean' } as const

/** The demo's agent goes on: it watches a risky pair, reads what is known about it and has reports made of it. */
export async function marketDay(walk: Walk, baseUrl: string, key: string): Promise<void> {
  walk.chapter('Find a risky token')
  await walk.until('the first board with graded tokens', BOARD_MS, async () => {
    const { body } = await walk.ask('/risk/bottom?percent=5&limit=1', 200, { key, quiet: true })
    return body.total > 0
  })
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
  const query = `exchange=${pair.exchange}&symbol=${encodeURIComponent(pair.symbol)}`

  walk.chapter('Watch it: a scan every minute')
  await walk.ask(`/research/pair?${query}`, 403, { key, note: 'Research is for targets only.' })
  await walk.ask('/agent/targets/add', 200, { key, body: pair })
  const early = await walk.ask('/reports/pair_pdf', 409, { key, body: { ...pair, lang: 'en' }, note: 'Too early.' })
  walk.expect('the code', early.body.code, 'not_enough_data')
  walk.say('Two scans are needed: waiting for at most two and a half minutes.')
  const scans = async () => {
    const { body } = await walk.ask('/agent/targets', 200, { key, quiet: true })
    return body.targets.find((one: typeof pair) => one.exchange === pair.exchange && one.symbol === pair.symbol)?.scan
  }
  await walk.until('two scans of the target', SCANS_MS, async () => (await scans())?.ok_1h >= 2)
  await walk.ask('/agent/targets', 200, { key })

  walk.chapter('Read research, have reports made')
  const research = await walk.ask(`/research/pair?${query}&days=1`, 200, { key })
  walk.expect('the pair', research.body.meta.symbol, pair.symbol)
  for (const [lang, name] of Object.entries(LANGUAGES)) {
    const made = await walk.ask('/reports/pair_pdf', 201, {
      key,
      body: { ...pair, lang, version: 'v2' },
      note: `In ${name}.`,
    })
    const { report_id, sha256, bytes } = made.body
    const answer = await fetch(new URL(`/reports/${report_id}`, baseUrl), { headers: { 'x-svc-user-key': key } })
    const file = Buffer.from(await answer.arrayBuffer())
    walk.step(`GET /reports/${report_id}`)
    walk.outcome(answer.ok, `${answer.status}, ${file.length} bytes, ${answer.headers.get('content-type')}`)
    const digest = createHash('sha256').update(file).digest()
    walk.expect('the type', answer.headers.get('content-type'), 'application/pdf')
    walk.expect('the length', file.length, bytes)
    walk.expect('the digest', digest.toString('hex'), sha256)
    walk.expect('Repr-Digest', answer.headers.get('repr-digest'), `sha-256=:${digest.toString('base64')}:`)
    walk.expect('the first bytes', file.subarray(0, 5).toString('latin1'), '%PDF-')
  }
  await walk.ask(`/reports?${query}`, 200, { key })
  await walk.ask('/subscriptions/status', 200, { key })

  walk.chapter('Follow a feed')
  await walk.ask('/feeds/catalog', 200, {})
  await walk.ask('/feeds/data/priority_pool', 403, { key, note: 'Not subscribed yet.' })
  const subscribed = await walk.ask('/feeds/subscribe', 200, { key, body: { feed_key: 'priority_pool' } })
  await walk.until('the pool of this minute', 90_000, async () => {
    const page = await walk.ask(`/feeds/data/priority_pool?since=${subscribed.body.newest_seq}`, 200, {
      key,
      quiet: true,
    })
    return page.body.items.length > 0
  })
  await walk.ask(`/feeds/data/priority_pool?since=${subscribed.body.newest_seq}`, 200, { key })
  await walk.ask('/agent/targets/remove', 200, { key, body: pair })
}

import { startReplayExchange, type ReplayExchange } from '@svc/replay-exchange'
import { registerAgent } from '../flow/people.ts'
import { startReplayedPlatform } from './replayed-platform.ts'
import { Surprise } from './request.ts'
import type { Walk } from './walk.ts'

const MINUTE_MS = 60_000
/** The rules judge a crash after two hours of the token's own prices. */
const WARM_UP_MINUTES = 125
const SPEED = 300
const ALERT_MS = 1_200_000

const baseOf = (symbol: string) => symbol.split('/')[0] ?? ''

/** A market that stands shortly before a crash. */
interface Eve {
  readonly exchange: ReplayExchange
  readonly title: string
  /** The token that crashes. */
  readonly token: string
}

async function recordedEve(replayDir: string): Promise<Eve> {
  const startAt = Date.parse('2022-11-09T02:33:00.000Z') - WARM_UP_MINUTES * MINUTE_MS
  const recording = { dataset: 'ftx-usdt', replayDir, venues: ['binance'], speed: 0, limits: false, startAt } as const
  const title = 'the recorded day on which FTX fell, from 00:28 UTC on 9 November 2022'
  return { exchange: await startReplayExchange(recording), title, token: 'FTT' }
}

async function syntheticEve(): Promise<Eve> {
  const options = { tokens: 60, venues: ['binance'], speed: 0, limits: false }
  const preview = await startReplayExchange(options)
  const from = preview.clock.now() + WARM_UP_MINUTES * MINUTE_MS
  const crash = preview.feed
    .events(from, from + 60 * 1_440 * MINUTE_MS, 100_000)
    .find(({ kind, symbol }) => kind === 'crash' && symbol.endsWith('/USDT'))
  await preview.stop()
  if (crash === undefined) throw new Error('the made-up market has no crash')
  const startAt = Math.floor(crash.at / MINUTE_MS) * MINUTE_MS - WARM_UP_MINUTES * MINUTE_MS
  const title =
    'a made-up market two hours before a crash (MARKET_REPLAY_DIR selects the recorded day on which FTX fell)'
  return { exchange: await startReplayExchange({ ...options, startAt }), title, token: baseOf(crash.symbol) }
}

/** Replays a crash at many times its speed on a second, small platform, and receives the alert as a stream. */
export async function crisisDay(walk: Walk): Promise<void> {
  walk.chapter('Receive an alert')
  const replayDir = process.env['MARKET_REPLAY_DIR'] ?? ''
  const eve = replayDir === '' ? await syntheticEve() : await recordedEve(replayDir)
  walk.say(`A second platform starts for ${eve.title}, at ${SPEED} times its speed.`)
  try {
    const platform = await startReplayedPlatform(eve.exchange, ['binance'])
    try {
      await receiveAlert(walk, platform.url, eve)
    } finally {
      await platform.stop()
    }
  } finally {
    await eve.exchange.stop()
  }
}

async function receiveAlert(walk: Walk, url: string, { exchange, token }: Eve): Promise<void> {
  const { key } = await registerAgent(url)
  const headers = { 'x-svc-user-key': key }
  walk.step('POST /feeds/subscribe {"feed_key":"crisis_alerts"}')
  const subscribed = await fetch(`${url}/feeds/subscribe`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ feed_key: 'crisis_alerts' }),
  })
  walk.expect('the status', subscribed.status, 200)
  walk.step('GET /feeds/stream/crisis_alerts')
  const stream = await fetch(`${url}/feeds/stream/crisis_alerts`, { headers, signal: AbortSignal.timeout(ALERT_MS) })
  walk.expect('the type', stream.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  exchange.clock.setSpeed(SPEED)
  const started = performance.now()
  let text = ''
  for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const found = /^id: \d+\ndata: (.+)$/m.exec(text)
    if (found === null) continue
    const { data } = JSON.parse(found[1] ?? '') as { data: { symbol: string; text: string; at: string; rule: string } }
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    walk.outcome(true, `${data.at} ${data.rule}: ${data.text}`)
    walk.say(`Received after ${seconds} s, at ${new Date(exchange.clock.now()).toISOString()} of the replayed day.`)
    walk.expect('the token of the first alert', baseOf(data.symbol), token)
    return
  }
  throw new Surprise('the stream ended without an alert')
}

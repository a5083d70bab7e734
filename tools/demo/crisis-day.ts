import { startReplayExchange, type ReplayExchange } from '@svc/replay-exchange'
import { registerAgent } from '../flow/people.ts'
import { startReplayedPlatform } from './replayed-platform.ts'
import { Surprise } from './request.ts'
import type { Walk } from './walk.ts'

const MINUTE_MS = 60_000
/** A token's crash is judged once two hours of its own prices are known. */
const WARM_UP_MINUTES = 125
const SPEED = 300
const ALERT_MS = 120_000

const baseOf = (symbol: string) => symbol.split('/')[0] ?? ''

/** Where the clock begins, and what is about to happen. */
interface Stage {
  readonly exchange: ReplayExchange
  readonly told: string
  /** The token that falls. */
  readonly expected: string
}

async function stage(): Promise<Stage> {
  const replayDir = process.env['MARKET_REPLAY_DIR']
  if (replayDir !== undefined && replayDir !== '') {
    const startAt = Date.parse('2022-11-09T02:33:00.000Z') - WARM_UP_MINUTES * MINUTE_MS
    return {
      exchange: await startReplayExchange({
        dataset: 'ftx-usdt',
        replayDir,
        venues: ['binance'],
        speed: 0,
        limits: false,
        startAt,
      }),
      told: 'the recorded day on which FTX fell, from 00:28 UTC on 9 November 2022',
      expected: 'FTT',
    }
  }
  const options = { tokens: 60, venues: ['binance'], speed: 0, limits: false }
  const look = await startReplayExchange(options)
  const from = look.clock.now()
  const crash = look.feed
    .events(from + WARM_UP_MINUTES * MINUTE_MS, from + 60 * 1_440 * MINUTE_MS, 100_000)
    .find((event) => event.kind === 'crash' && event.symbol.endsWith('/USDT'))
  await look.stop()
  if (crash === undefined) throw new Error('the made-up market has no crash')
  const startAt = Math.floor(crash.at / MINUTE_MS) * MINUTE_MS - WARM_UP_MINUTES * MINUTE_MS
  return {
    exchange: await startReplayExchange({ ...options, startAt }),
    told: 'a made-up market two hours before a crash (set MARKET_REPLAY_DIR for the recorded day on which FTX fell)',
    expected: baseOf(crash.symbol),
  }
}

/** Plays a crash at many times its speed on a small platform of its own, and receives the alert as a stream. */
export async function crisisDay(walk: Walk): Promise<void> {
  walk.chapter('Receive an alert')
  const { exchange, told, expected } = await stage()
  walk.say(`A second platform is started for ${told}, at ${SPEED} times its speed.`)
  try {
    const platform = await startReplayedPlatform(exchange, ['binance'])
    try {
      await follow(walk, platform.url, exchange, expected)
    } finally {
      await platform.stop()
    }
  } finally {
    await exchange.stop()
  }
}

async function follow(walk: Walk, url: string, exchange: ReplayExchange, expected: string): Promise<void> {
  const { key } = await registerAgent(url)
  const headers = { 'x-svc-user-key': key }
  const subscribed = await fetch(`${url}/feeds/subscribe`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ feed_key: 'crisis_alerts' }),
  })
  walk.step('POST /feeds/subscribe {"feed_key":"crisis_alerts"}')
  walk.expect('the status', subscribed.status, 200)
  walk.step('GET /feeds/stream/crisis_alerts')
  const stream = await fetch(`${url}/feeds/stream/crisis_alerts`, { headers, signal: AbortSignal.timeout(ALERT_MS) })
  walk.expect('the type', stream.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  exchange.clock.setSpeed(SPEED)
  const began = performance.now()
  let text = ''
  for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const found = /^id: \d+\ndata: (.+)$/m.exec(text)
    if (found === null) continue
    const { data } = JSON.parse(found[1] ?? '') as { data: { symbol: string; text: string; at: string; rule: string } }
    walk.outcome(true, `${data.at} ${data.rule}: ${data.text}`)
    walk.say(
      `Received after ${((performance.now() - began) / 1000).toFixed(0)} s, at ${new Date(exchange.clock.now()).toISOString()} of the replayed day.`,
    )
    walk.expect('the token of the first alert', baseOf(data.symbol), expected)
    return
  }
  throw new Surprise('the stream ended without an alert')
}

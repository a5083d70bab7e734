import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tellCrash, tellRecorded } from './story.ts'

test('the story that the pages play is what the synthetic world and the crash rule say today', () => {
  const kept = readFileSync(new URL('../../packages/web/src/stories/crash.json', import.meta.url), 'utf8')
  expect(JSON.parse(kept)).toEqual(tellCrash())
})

const replayDir = process.env['MARKET_REPLAY_DIR'] ?? ''
test.skipIf(replayDir === '')('the recorded day is told as it was: the alert first, then the stop line', async () => {
  const story = await tellRecorded(replayDir)
  expect(story).toMatchObject({ symbol: 'FTT/USDT', venue: 'binance' })
  const { starts_at, alerts, worths, limits, paid_in } = story ?? {
    starts_at: '',
    alerts: [],
    worths: [],
    limits: { stop_line: 0 },
    paid_in: 0,
  }
  const [first] = alerts
  expect(new Date(Date.parse(starts_at) + (first?.minute ?? 0) * 60_000).toISOString().slice(11, 16)).toBe('02:32')
  expect(worths[0]).toBe(paid_in)
  expect(worths.findIndex((worth) => worth <= limits.stop_line)).toBeGreaterThan(first?.minute ?? 0)
})

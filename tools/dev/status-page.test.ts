import { expect, test } from 'vitest'
import { statusPage } from './status-page.ts'

const now = new Date(1_000_000)
const page = (checks: Record<string, boolean>, ...metrics: string[]) =>
  statusPage([{ ready: { ready: true, checks: { keeper: checks } }, metrics: metrics.join('\n') }], now)
const worker = (lastAt: number, dry: number) => [
  'hub_worker_interval_seconds{service="keeper",worker="mark"} 60',
  `hub_worker_last_success_timestamp_seconds{service="keeper",worker="mark"} ${lastAt}`,
  `hub_dry_run{service="keeper",worker="mark"} ${dry}`,
]

test('a platform that is well shows each worker with its age and mode, and marks nothing', () => {
  const text = page({ nats: true }, 'hub_leader{service="keeper"} 1', ...worker(990, 1))
  expect(text).toContain('<td>mark</td><td>dry</td><td>10 s</td><td>60 s</td>')
  expect(text).toContain('<td>keeper</td><td>ready</td><td>leads</td>')
  expect(text).not.toContain('class="bad"')
})

test('what needs a look is marked: a failing check, a lost lead, a late worker, a lag', () => {
  const text = page(
    { nats: false },
    'hub_leader{service="keeper"} 0',
    ...worker(100, 0),
    'hub_consumer_pending{stream="A",consumer="a"} 1001',
    'hub_chain_head_lag_blocks{reader="deposits"} NaN',
  )
  expect([...text.matchAll(/class="bad">([^<]*)</g)].map(([, bad]) => bad)).toEqual([
    'not ready: nats',
    'no leader',
    '900 s',
    '1001',
  ])
})

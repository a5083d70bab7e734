import { request } from 'node:http'
import { expect, test } from 'vitest'
import { openStatusPage, statusPage } from './status-page.ts'

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

/** Returns the status of an answer to a reader that uses this name for the machine. */
const statusUnder = (url: string, host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    request(url, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })

test('the page answers under its own address and under no other name of the machine', async () => {
  const { url, close } = await openStatusPage([])
  try {
    const { host, port } = new URL(url)
    expect(await statusUnder(url, host)).toBe(200)
    for (const other of ['evil.example', `evil.example:${port}`, `localhost:${port}`, '127.0.0.1'])
      expect(await statusUnder(url, other)).toBe(404)
  } finally {
    close()
  }
})

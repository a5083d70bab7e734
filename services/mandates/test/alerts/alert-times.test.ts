import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { opened, refusalOf } from '@svc/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { alertOwner } from '#alerts/alert-owner.ts'
import type { NewAlert } from '#alerts/store/alerts.ts'
import { lockMandateById } from '#mandate/store/mandates.ts'
import { agent, buyCall, owner, startSeededRig, VENUE, type NewMandateOptions } from '../rigs/seeded-rig.ts'
import { provenChat, sendAlertsOnce } from './send-alerts-once.ts'

const TOKEN = `123456:${'secretsecret'.repeat(3)}`
let server: Server
let received: string[] = []
let nextOwner = 500

// 21 November 2026, 22:30 in Berlin.
const rig = opened(() => startSeededRig({}, '2026-11-21T21:30:00.000Z'))
beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push(JSON.parse(Buffer.concat(chunks).toString('utf8')).text)
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server?.close()
})
beforeEach(() => {
  received = []
})

const pass = () =>
  sendAlertsOnce(rig.pool, rig.clock, {
    HUB_ALERTS_TELEGRAM_TOKEN: TOKEN,
    HUB_ALERTS_TELEGRAM_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  })
async function newOwner(options: NewMandateOptions = {}) {
  const mandate = await rig.newMandate({ ownerId: nextOwner, agentId: 1_000_000 - nextOwner++, ...options })
  await provenChat(rig, mandate.ownerId, '77')
  const hold = async (n: number) => {
    const data = { target: VENUE, data: buyCall(n), approve_amount_usdc: '45' }
    await rig.as(agent(mandate.agentId)).prepareExecution({ public_id: mandate.publicId, ...data })
  }
  const store = (severity: NewAlert['severity'], text: string) =>
    rig.pool.transaction(async (tx) =>
      alertOwner(
        tx,
        { alerts: { linkTo: () => 'https://app.example.org' } as never },
        await lockMandateById(tx, mandate.id),
        { kind: 'test', severity, text, about: text },
        rig.clock.now(),
      ),
    )
  return { mandate, hold, store, as: rig.as(owner(mandate.ownerId)) }
}
const night = { time_zone: 'Europe/Berlin', quiet: { from: '22:00', to: '07:00' }, digest_at: null }

test('in quiet hours the alert of a held call waits for their end, and a critical alert does not', async () => {
  const { as, hold, store } = await newOwner()
  expect(await as.setAlertTimes(night)).toEqual({ ok: true, ...night })
  expect((await as.listAlerts({})).times).toEqual(night)
  await hold(1)
  await store('critical', 'danger')
  expect(await pass()).toBe(1)
  expect(received).toEqual([expect.stringContaining('danger')])
  rig.clock.advance(8.5 * 3_600_000 - 1)
  expect(await pass()).toBe(0)
  rig.clock.advance(1)
  expect(await pass()).toBe(1)
  expect(received[1]).toContain('waits for your decision')
})

test('new times apply to alerts that wait to be sent', async () => {
  const { as, store } = await newOwner()
  await store('info', 'news')
  const day = { ...night, quiet: { from: '06:00', to: '09:00' } }
  await as.setAlertTimes(day)
  expect(await pass()).toBe(0)
  await as.setAlertTimes({ ...night, quiet: null })
  expect(await pass()).toBe(1)
})

test('a digest sends the alerts of a day in one message, without a held call that would lapse before it', async () => {
  // It is 07:00 in Berlin.
  const endsAt = new Date(rig.clock.now().getTime() + 12 * 3_600_000)
  const { as, hold, store } = await newOwner({ limits: { endsAt } })
  await store('info', 'first')
  await store('warning', 'second')
  await as.setAlertTimes({ time_zone: 'Europe/Berlin', quiet: null, digest_at: '08:00' })
  rig.clock.advance(60_000)
  await store('critical', 'danger')
  expect(await pass()).toBe(1)
  rig.clock.advance(59 * 60_000)
  expect(await pass()).toBe(2)
  expect(received).toHaveLength(2)
  expect(received[1]).toMatch(/^2 alerts of your mandates:[\s\S]*\(info\) first[\s\S]*\(warning\) second/)

  // The mandate ends, and with it what it holds, before the next digest.
  rig.clock.advance(60_000)
  await hold(1)
  await store('info', 'later')
  received = []
  expect(await pass()).toBe(1)
  expect(received).toEqual([expect.stringContaining('waits for your decision')])
  rig.clock.advance(24 * 3_600_000)
  expect(await pass()).toBe(1)
  expect(received[1]).toContain('later')
})

test.each([
  ['/time_zone', { ...night, time_zone: 'Berlin' }],
  ['/quiet/to', { ...night, quiet: { from: '07:00', to: '07:00' } }],
  ['/quiet/from', { ...night, quiet: { from: '7:00', to: '08:00' } }],
  ['/digest_at', { ...night, digest_at: '24:00' }],
])('times with a wrong %s are rejected and change nothing', async (pointer, times) => {
  const { as } = await newOwner()
  expect(await refusalOf(as.setAlertTimes(times))).toMatchObject({ status: 400, code: 'invalid_request' })
  expect((await refusalOf(as.setAlertTimes(times)))['errors']).toMatchObject([{ pointer }])
  expect((await as.listAlerts({})).times).toEqual({ time_zone: 'UTC', quiet: null, digest_at: null })
})

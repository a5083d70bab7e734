import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Environment } from '@svc/contract'
import { opened, refusalOf } from '@svc/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { TRIES_MAX } from '#alerts/rules/alert-tries.ts'
import { dueAlerts } from '#alerts/store/alerts.ts'
import { owner, startSeededRig } from '../rigs/seeded-rig.ts'
import { provenChat, sendAlertsOnce, tellOwner } from './send-alerts-once.ts'

const TOKEN = `123456:${'secretsecret'.repeat(3)}`
let server: Server
let received: { chat_id: string; text: string }[] = []
/** Statuses that the bot returns in turn, then 200; 0 closes the connection. */
let answers: number[] = []
let nextOwner = 100

const rig = opened(() => startSeededRig())
beforeAll(async () => {
  const answer = (response: ServerResponse) => {
    const status = answers.shift() ?? 200
    if (status === 0) response.destroy()
    else response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  }
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.url === `/bot${TOKEN}/sendMessage`) received.push(JSON.parse(Buffer.concat(chunks).toString('utf8')))
      answer(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server?.close()
})
beforeEach(() => {
  received = []
  answers = []
})

/** Runs the job once, as its process would. */
const pass = (environment: Environment = {}): Promise<number> =>
  sendAlertsOnce(rig.pool, rig.clock, {
    HUB_ALERTS_TELEGRAM_TOKEN: TOKEN,
    HUB_ALERTS_TELEGRAM_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...environment,
  })

/** Creates an owner with a chat and alerts of a mandate. */
async function told(texts: readonly string[], chat: string | null = '77'): Promise<number> {
  const ownerId = nextOwner++
  await tellOwner(rig, ownerId, texts)
  if (chat !== null) await provenChat(rig, ownerId, chat)
  return ownerId
}
const list = (ownerId: number, more: object = {}) => rig.as(owner(ownerId)).listAlerts({ ...more })

test('concurrent workers send an alert to its owner once, with its link', async () => {
  const ownerId = await told(['one', 'two', 'three'])
  const done = await Promise.all([pass(), pass(), pass()])
  expect(done.reduce((sum, count) => sum + count, 0)).toBe(3)
  expect(received.map(({ chat_id, text }) => `${chat_id} ${text.split('\n')[0]}`).toSorted()).toEqual([
    '77 one',
    '77 three',
    '77 two',
  ])
  const { items } = await list(ownerId)
  for (const { text, link, sent_at } of items) {
    expect(sent_at).toBe(rig.clock.now().toISOString())
    expect(received.map((one) => one.text)).toContain(`${text}\n${link}`)
  }
  expect(await pass()).toBe(0)
  expect(received).toHaveLength(3)
})

test('in a dry run, without a bot, or without a chat nothing is sent, and the alert can be read', async () => {
  const ownerId = await told(['kept'])
  expect(await pass({ HUB_ALERTS_DRY_RUN: '1' })).toBe(0)
  expect(await pass({ HUB_ALERTS_TELEGRAM_TOKEN: undefined })).toBe(0)
  await rig.as(owner(ownerId)).setAlertChannel({ telegram_chat_id: null })
  expect(await pass()).toBe(0)
  expect(received).toEqual([])
  expect((await list(ownerId)).items).toMatchObject([
    { text: 'kept', owner_id: ownerId, sent_at: null, deliveries: [] },
  ])
  expect((await list(ownerId)).telegram_chat_id).toBeNull()
  await provenChat(rig, ownerId, '-100123')
  expect(await pass()).toBe(1)
})

test('a failed alert is tried again with growing pauses, until the last try', async () => {
  const ownerId = await told(['unlucky'])
  answers = [500, 0, 429, 502, 500, 500, 500, 0, 500, 500, 200]
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    expect(await pass()).toBe(0)
    expect(received).toHaveLength(tries)
    expect(await pass()).toBe(0)
    expect(received).toHaveLength(tries)
    rig.clock.advance(60_000 * 2 ** (tries - 1))
  }
  rig.clock.advance(3_600_000)
  expect(await pass()).toBe(0)
  expect(received).toHaveLength(TRIES_MAX)
  const { items } = await list(ownerId)
  expect(items).toMatchObject([
    { sent_at: null, deliveries: [{ channel: 'telegram', tries: TRIES_MAX, failure: 'telegram answered 500' }] },
  ])
  expect(JSON.stringify(items)).not.toContain('secret')
})

test('the next try sends an alert after a temporary failure; an unknown chat is not tried again', async () => {
  const lucky = await told(['late'])
  answers = [0]
  expect(await pass()).toBe(0)
  expect((await list(lucky)).items).toMatchObject([
    { sent_at: null, deliveries: [{ sent_at: null, failure: 'telegram could not be reached' }] },
  ])
  rig.clock.advance(60_000)
  expect(await pass()).toBe(1)
  expect((await list(lucky)).items).toMatchObject([
    {
      sent_at: rig.clock.now().toISOString(),
      deliveries: [{ tries: 2, sent_at: rig.clock.now().toISOString(), failure: null }],
    },
  ])

  const blocked = await told(['never'])
  answers = [403]
  expect(await pass()).toBe(0)
  rig.clock.advance(3_600_000)
  expect(await pass()).toBe(0)
  expect((await list(blocked)).items).toMatchObject([
    { sent_at: null, deliveries: [{ tries: 1, failure: 'telegram answered 403' }] },
  ])
})

test('many alerts of one owner do not delay other owners', async () => {
  await told(['loud 1', 'loud 2', 'loud 3'], '81')
  rig.clock.advance(1_000)
  await told(['quiet'], '82')
  const now = rig.clock.now()
  const due = await dueAlerts(rig.pool, 'telegram', new Date(now.getTime() - 60_000), now, 2)
  expect(due.map(({ address, text }) => `${address} ${text}`)).toEqual(['81 loud 1', '82 quiet'])
  expect(await pass()).toBe(4)
})

test('alerts that are a day old are not sent', async () => {
  await told(['old'])
  rig.clock.advance(86_400_000)
  expect(await pass()).toBe(0)
  expect(received).toEqual([])
})

test('only the owner can read its alerts, page by page', async () => {
  const ownerId = await told(['a', 'b', 'c'], null)
  const first = await list(ownerId, { limit: 2 })
  const second = await list(ownerId, { limit: 2, cursor: first.next_cursor ?? '' })
  expect([...first.items, ...second.items].map(({ text }) => text)).toEqual(['c', 'b', 'a'])
  expect(second.next_cursor).toBeNull()
  expect((await list(ownerId + 1_000)).items).toEqual([])
  expect(await refusalOf(list(ownerId, { cursor: 'x' }))).toMatchObject({ code: 'invalid_request' })
  expect(await refusalOf(rig.as(owner(ownerId)).setAlertChannel({ telegram_chat_id: '@name' }))).toMatchObject({
    code: 'invalid_request',
  })
})

test('without a bot or a mail server requesting a code is refused, and the list of alerts names the channels that send', async () => {
  const as = rig.as(owner(nextOwner++))
  expect(await refusalOf(as.setAlertEmail({ email: 'owner@example.org' }))).toMatchObject({
    status: 409,
    code: 'hub_email_not_configured',
  })
  expect(await refusalOf(as.setAlertChannel({ telegram_chat_id: '77' }))).toMatchObject({
    status: 409,
    code: 'hub_telegram_not_configured',
  })
  expect(await as.listAlerts({})).toMatchObject({
    telegram_chat_id: null,
    telegram_chat_id_to_verify: null,
    email: null,
    email_to_verify: null,
    sending: { telegram: false, email: false },
  })
})

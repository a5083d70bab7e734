import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Environment } from '@svc/contract'
import { opened } from '@svc/testing'
import { afterEach, expect, test } from 'vitest'
import { owner, startSeededRig } from '../rigs/seeded-rig.ts'
import { startMailServer } from './mail-server.ts'
import { provenChat, sendAlertsOnce, tellOwner } from './send-alerts-once.ts'

const FROM = 'alerts@example.org'
let nextOwner = 100
const server = opened(() => startMailServer())
const rig = opened(() =>
  startSeededRig({
    HUB_ALERTS_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    HUB_ALERTS_EMAIL_FROM: FROM,
  }),
)
afterEach(() => {
  server.received.length = 0
  server.onMail = () => {}
})

const environment = (): Environment => ({
  HUB_ALERTS_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
  HUB_ALERTS_EMAIL_FROM: FROM,
})
const pass = (more: Environment = {}) => sendAlertsOnce(rig.pool, rig.clock, { ...environment(), ...more })

/** Returns the code of the newest mail. */
const codeSent = (): string => /^[0-9A-Z]{4}-[0-9A-Z]{4}$/m.exec(server.received.at(-1)?.mail.text ?? '')?.[0] ?? ''

/** Creates an owner with a verified address and alerts of a mandate; removes the mail of the verification. */
async function told(texts: readonly string[]): Promise<number> {
  const ownerId = nextOwner++
  const as = rig.as(owner(ownerId))
  await as.setAlertEmail({ email: `owner${ownerId}@example.org` })
  await as.verifyAlertEmail({ code: codeSent() })
  server.received.length = 0
  await tellOwner(rig, ownerId, texts)
  return ownerId
}
const list = async (ownerId: number) => (await rig.as(owner(ownerId)).listAlerts({})).items

test('concurrent workers send an alert to the verified address once, with its link', async () => {
  const ownerId = await told(['one', 'two', 'three'])
  const done = await Promise.all([pass(), pass(), pass()])
  expect(done.reduce((sum, count) => sum + count, 0)).toBe(3)
  expect(server.received.map(({ to, mail }) => `${to.join()} ${mail.subject}`).toSorted()).toEqual(
    ['one', 'three', 'two'].map((text) => `owner${ownerId}@example.org Mandate alert (critical): ${text}`),
  )
  for (const { text, link, sent_at, deliveries } of await list(ownerId)) {
    expect(sent_at).toBe(rig.clock.now().toISOString())
    expect(deliveries).toEqual([{ channel: 'email', tries: 1, sent_at, failure: null }])
    expect(server.received.some(({ mail }) => mail.text?.startsWith(`${text}\n\n${link}\n`))).toBe(true)
  }
  expect(await pass()).toBe(0)
  expect(server.received).toHaveLength(3)
})

test('a later try sends a mail after a temporary failure; a rejected address is not tried again', async () => {
  const ownerId = await told(['late', 'never'])
  server.answers.to.push(451, 550)
  expect(await pass()).toBe(0)
  const [never, late] = await list(ownerId)
  expect(late?.deliveries).toMatchObject([{ tries: 1, failure: 'the mail server answered 451' }])
  expect(never?.deliveries).toMatchObject([{ tries: 1, failure: 'the mail server answered 550' }])
  rig.clock.advance(60_000)
  expect(await pass({ HUB_ALERTS_SMTP_URL: 'smtp://127.0.0.1:1' })).toBe(0)
  expect((await list(ownerId))[1]?.deliveries).toMatchObject([
    { tries: 2, failure: 'the mail server could not be reached' },
  ])
  rig.clock.advance(120_000)
  expect(await pass()).toBe(1)
  expect(server.received.map(({ mail }) => mail.subject)).toEqual(['Mandate alert (critical): late'])
})

test('a failing channel does not affect the other, and deliveries are marked by channel', async () => {
  const ownerId = await told(['both'])
  await provenChat(rig, ownerId, '77')
  const telegram = {
    HUB_ALERTS_TELEGRAM_TOKEN: `123456:${'secretsecret'.repeat(3)}`,
    HUB_ALERTS_TELEGRAM_URL: 'http://127.0.0.1:1',
  }
  expect(await pass(telegram)).toBe(1)
  const [{ sent_at, deliveries }] = (await list(ownerId)) as [Awaited<ReturnType<typeof list>>[number]]
  expect(sent_at).toBe(rig.clock.now().toISOString())
  expect(deliveries).toEqual([
    { channel: 'email', tries: 1, sent_at, failure: null },
    { channel: 'telegram', tries: 1, sent_at: null, failure: 'telegram could not be reached' },
  ])
})

test('in a dry run, without a server, or after the address was removed nothing is sent', async () => {
  const ownerId = await told(['kept'])
  expect(await pass({ HUB_ALERTS_DRY_RUN: '1' })).toBe(0)
  expect(await pass({ HUB_ALERTS_SMTP_URL: undefined })).toBe(0)
  await rig.as(owner(ownerId)).removeAlertEmail({})
  expect(await pass()).toBe(0)
  expect(server.received).toEqual([])
  expect(await list(ownerId)).toMatchObject([{ text: 'kept', sent_at: null, deliveries: [] }])
})

test('killing a worker loses no alert: only the mail in flight is sent twice, with the same Message-ID', async () => {
  const texts = ['a', 'b', 'c', 'd']
  const ownerId = await told(texts)
  const worker = fork(new URL('./send-alerts-process.ts', import.meta.url), [], {
    env: {
      ...process.env,
      ...environment(),
      TEST_DATABASE_URL: rig.stack.databaseOf('mandates').url,
      TEST_NOW: rig.clock.now().toISOString(),
    },
  })
  server.onMail = () => {
    if (server.received.length === 2) worker.kill('SIGKILL')
  }
  const [, signal] = await once(worker, 'exit')
  expect(signal).toBe('SIGKILL')
  expect(server.received).toHaveLength(2)
  for (let minutes = 0; minutes < 2; minutes++) {
    await pass()
    rig.clock.advance(60_000)
  }
  const keys = server.received.map(({ mail }) => mail.messageId)
  expect(keys).toHaveLength(texts.length + 1)
  expect(new Set(keys).size).toBe(texts.length)
  expect(keys.filter((key) => key === keys[1])).toHaveLength(2)
  for (const { deliveries } of await list(ownerId)) expect(deliveries).toMatchObject([{ failure: null }])
  expect((await list(ownerId)).every(({ sent_at }) => sent_at !== null)).toBe(true)
})

import { refusalOf } from '@svc/testing'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Outage } from '@svc/service'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { owner, startSeededRig, type SeededRig } from '../rigs/seeded-rig.ts'

const TOKEN = `123456:${'secretsecret'.repeat(3)}`
let rig: SeededRig
let bot: Server
let received: { chat_id: string; text: string }[] = []
/** Statuses that the bot returns in turn; then 200. */
let answers: number[] = []
let nextOwner = 700

beforeAll(async () => {
  bot = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const status = answers.shift() ?? 200
      if (status === 200) received.push(JSON.parse(Buffer.concat(chunks).toString('utf8')))
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => bot.listen(0, '127.0.0.1', resolve))
  rig = await startSeededRig({
    HUB_ALERTS_TELEGRAM_TOKEN: TOKEN,
    HUB_ALERTS_TELEGRAM_URL: `http://127.0.0.1:${(bot.address() as AddressInfo).port}`,
    HUB_ALERTS_DRY_RUN: '0',
  })
})
afterAll(async () => {
  await rig?.stop()
  bot?.close()
})
/** Each test uses new clients, a day after the previous test. */
afterEach(() => {
  received = []
  rig.clock.advance(86_400_000)
})

const newOwner = () => {
  const id = nextOwner++
  return { chat: String(1_000 + id), ...rig.as(owner(id)) }
}
const codeSent = (): string => /^[0-9A-Z]{4}-[0-9A-Z]{4}$/m.exec(received.at(-1)?.text ?? '')?.[0] ?? ''

test('a chat is verified by the code that the bot sent there; an earlier chat stays until then', async () => {
  const one = newOwner()
  expect(await one.setAlertChannel({ telegram_chat_id: one.chat })).toEqual({
    ok: true,
    telegram_chat_id_to_verify: one.chat,
    expires_at: new Date(rig.clock.now().getTime() + 900_000).toISOString(),
    sending: true,
  })
  expect(received.map(({ chat_id }) => chat_id)).toEqual([one.chat])
  expect(await one.listAlerts({})).toMatchObject({ telegram_chat_id: null, telegram_chat_id_to_verify: one.chat })
  expect(await one.verifyAlertChannel({ code: codeSent() })).toEqual({
    ok: true,
    telegram_chat_id: one.chat,
    sending: true,
  })
  await one.setAlertChannel({ telegram_chat_id: '-100555' })
  expect(await one.listAlerts({})).toMatchObject({
    telegram_chat_id: one.chat,
    telegram_chat_id_to_verify: '-100555',
  })
})

test('a chat cannot be verified by a wrong code, the code of another owner, or the code of an e-mail', async () => {
  const [one, other] = [newOwner(), newOwner()]
  await one.setAlertChannel({ telegram_chat_id: one.chat })
  const code = codeSent()
  await other.setAlertChannel({ telegram_chat_id: one.chat })
  expect(await refusalOf(other.verifyAlertChannel({ code }))).toMatchObject({
    status: 422,
    code: 'hub_telegram_code_wrong',
    tries_left: 4,
  })
  expect(await refusalOf(one.verifyAlertEmail({ code }))).toMatchObject({ status: 409, code: 'hub_no_email_code' })
  rig.clock.advance(900_000)
  expect(await refusalOf(one.verifyAlertChannel({ code }))).toMatchObject({
    status: 409,
    code: 'hub_no_telegram_code',
  })
  expect((await one.listAlerts({})).telegram_chat_id).toBeNull()
})

test('removing the chat invalidates a pending code', async () => {
  const one = newOwner()
  await one.setAlertChannel({ telegram_chat_id: one.chat })
  expect(await one.setAlertChannel({ telegram_chat_id: null })).toEqual({
    ok: true,
    telegram_chat_id: null,
    sending: true,
  })
  expect(await refusalOf(one.verifyAlertChannel({ code: codeSent() }))).toMatchObject({ code: 'hub_no_telegram_code' })
})

test('a chat gets at most five codes a day from all owners', async () => {
  for (let sent = 0; sent < 5; sent++) await newOwner().setAlertChannel({ telegram_chat_id: '4242' })
  expect(await refusalOf(newOwner().setAlertChannel({ telegram_chat_id: '4242' }))).toMatchObject({
    status: 429,
    code: 'rate_limited',
  })
  expect(received).toHaveLength(5)
})

test('a chat that the bot cannot write to is a refusal; a bot that is away is an outage and uses no code', async () => {
  const one = newOwner()
  answers = [403]
  expect(await refusalOf(one.setAlertChannel({ telegram_chat_id: one.chat }))).toMatchObject({
    status: 422,
    code: 'hub_telegram_refused',
  })
  answers = [500, 429, 502, 500, 500]
  for (let tries = 0; tries < 5; tries++)
    await expect(one.setAlertChannel({ telegram_chat_id: one.chat })).rejects.toThrow(Outage)
  await one.setAlertChannel({ telegram_chat_id: one.chat })
})

import { Outage } from '@svc/service'
import { sql } from '@svc/postgres'
import { opened, refusalOf } from '@svc/testing'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { Context } from '#context.ts'
import { hashCode, writeCode } from '#alerts/rules/channel-code.ts'
import { jobs } from '#jobs.ts'
import { owner, startSeededRig } from '../rigs/seeded-rig.ts'
import { startMailServer } from './mail-server.ts'

let nextOwner = 500
const server = opened(() => startMailServer())
const rig = opened(() =>
  startSeededRig({
    HUB_ALERTS_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    HUB_ALERTS_EMAIL_FROM: 'alerts@example.org',
    HUB_ALERTS_DRY_RUN: '0',
  }),
)
/** Each test uses new clients, a day after the previous test. */
afterEach(() => {
  server.received.length = 0
  rig.clock.advance(86_400_000)
})

const newOwner = () => {
  const id = nextOwner++
  return { id, email: `owner${id}@example.org`, ...rig.as(owner(id)) }
}
const codeSent = (): string => /^[0-9A-Z]{4}-[0-9A-Z]{4}$/m.exec(server.received.at(-1)?.mail.text ?? '')?.[0] ?? ''
const WRONG = '0000-0000'

test('an address is verified by the code that was sent to it, typed in any case, and a code works once', async () => {
  const one = newOwner()
  const sent = await one.setAlertEmail({ email: one.email })
  expect(sent).toEqual({
    ok: true,
    email_to_verify: one.email,
    expires_at: new Date(rig.clock.now().getTime() + 900_000).toISOString(),
    sending: true,
  })
  expect(server.received).toMatchObject([
    { to: [one.email], mail: { subject: 'Your code for alerts of your mandates' } },
  ])
  expect(await one.listAlerts({})).toMatchObject({ email: null, email_to_verify: one.email, sending: { email: true } })
  const code = codeSent().replace('-', '').toLowerCase()
  expect(await one.verifyAlertEmail({ code })).toEqual({ ok: true, email: one.email, sending: true })
  expect(await one.listAlerts({})).toMatchObject({ email: one.email, email_to_verify: null })
  expect(await refusalOf(one.verifyAlertEmail({ code }))).toMatchObject({ code: 'hub_no_email_code' })
})

test('an earlier address stays until the new one is verified; removing deletes both addresses and the code', async () => {
  const one = newOwner()
  await one.setAlertEmail({ email: one.email })
  await one.verifyAlertEmail({ code: codeSent() })
  await one.setAlertEmail({ email: `new.${one.email}` })
  expect(await one.listAlerts({})).toMatchObject({ email: one.email, email_to_verify: `new.${one.email}` })
  expect(await one.removeAlertEmail({})).toEqual({ ok: true })
  expect(await one.listAlerts({})).toMatchObject({ email: null, email_to_verify: null })
  expect(await refusalOf(one.verifyAlertEmail({ code: codeSent() }))).toMatchObject({ code: 'hub_no_email_code' })
  expect(await one.removeAlertEmail({})).toEqual({ ok: true })
})

test('five wrong tries invalidate a code, even concurrent ones, and then the right code is rejected', async () => {
  const one = newOwner()
  await one.setAlertEmail({ email: one.email })
  const code = codeSent()
  const shown = await Promise.all(Array.from({ length: 9 }, () => refusalOf(one.verifyAlertEmail({ code: WRONG }))))
  const wrong = shown.filter(({ code: refused }) => refused === 'hub_email_code_wrong')
  expect(wrong.map((refused) => Number(refused['tries_left'])).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4])
  expect(shown.filter(({ code: refused }) => refused === 'hub_no_email_code')).toHaveLength(4)
  expect(await refusalOf(one.verifyAlertEmail({ code }))).toMatchObject({ status: 409, code: 'hub_no_email_code' })
  expect((await one.listAlerts({})).email).toBeNull()
})

test('a code expires after 15 minutes or when a newer one is sent, and is valid for one owner only', async () => {
  const [one, other] = [newOwner(), newOwner()]
  await one.setAlertEmail({ email: one.email })
  const first = codeSent()
  await one.setAlertEmail({ email: one.email })
  const second = codeSent()
  await other.setAlertEmail({ email: one.email })
  expect(await refusalOf(one.verifyAlertEmail({ code: first }))).toMatchObject({ code: 'hub_email_code_wrong' })
  expect(await refusalOf(other.verifyAlertEmail({ code: second }))).toMatchObject({ code: 'hub_email_code_wrong' })
  rig.clock.advance(900_000)
  expect(await refusalOf(one.verifyAlertEmail({ code: second }))).toMatchObject({ code: 'hub_no_email_code' })
})

test('an owner and an address get at most five codes a day, even by concurrent requests', async () => {
  const one = newOwner()
  const asked = await Promise.allSettled(
    Array.from({ length: 8 }, (_, at) => one.setAlertEmail({ email: `${at}${one.email}` })),
  )
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(server.received).toHaveLength(5)
  expect(await refusalOf(one.setAlertEmail({ email: one.email }))).toMatchObject({ status: 429, code: 'rate_limited' })

  const others = Array.from({ length: 7 }, newOwner)
  const same = await Promise.allSettled(
    others.map((other, at) =>
      other.setAlertEmail({ email: at % 2 === 0 ? 'victim@example.org' : 'VICTIM@example.org' }),
    ),
  )
  expect(same.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(server.received).toHaveLength(10)
  rig.clock.advance(86_400_000)
  await one.setAlertEmail({ email: one.email })
})

test('a client address gets at most 20 codes a day for all owners and addresses', async () => {
  for (let sent = 0; sent < 20; sent++) {
    const one = newOwner()
    await one.setAlertEmail({ email: one.email })
  }
  const last = newOwner()
  expect(await refusalOf(last.setAlertEmail({ email: last.email }))).toMatchObject({ code: 'rate_limited' })
})

test('an address that the mail server rejects is a refusal; a server that is away is an outage and uses no code', async () => {
  const one = newOwner()
  server.answers.to.push(550)
  expect(await refusalOf(one.setAlertEmail({ email: one.email }))).toMatchObject({
    status: 422,
    code: 'hub_email_refused',
  })
  for (let tries = 0; tries < 6; tries++) {
    server.answers.data.push(451)
    await expect(one.setAlertEmail({ email: one.email })).rejects.toThrow(Outage)
  }
  await one.setAlertEmail({ email: one.email })
})

test('an input that is not a plain address is rejected with the field', async () => {
  const one = newOwner()
  const bad = [
    '',
    'a',
    'a@b',
    'a@b.cd, e@f.gh',
    'a@b.cd\r\nBcc: e@f.gh',
    '"x" <a@b.cd>',
    '<a@b.cd>',
    `${'a'.repeat(250)}@b.cd`,
  ]
  for (const email of bad)
    expect(await refusalOf(one.setAlertEmail({ email }))).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '/email' }],
    })
  expect(server.received).toEqual([])
})

test('codes are stored as hashes and deleted after a day', async () => {
  const one = newOwner()
  await one.setAlertEmail({ email: one.email })
  const rows = await rig.pool.any(
    sql.type(
      z.object({ row: z.string() }),
    )`SELECT row_to_json(c)::text AS row FROM channel_code c WHERE owner_id = ${one.id}`,
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]?.row).toContain(hashCode(one.id, codeSent()))
  expect(rows[0]?.row).not.toContain(codeSent())
  rig.clock.advance(86_400_000)
  const forget = jobs.forgetCodes({ pool: rig.pool, clock: rig.clock } as unknown as Context)
  // The service's own job may have been quicker, as its clock moved too.
  await forget(AbortSignal.timeout(600_000))
  expect(await rig.pool.any(sql.unsafe`SELECT 1 FROM channel_code WHERE owner_id = ${one.id}`)).toEqual([])
})

test('a code uses every digit with equal probability', () => {
  expect(writeCode(() => 0)).toBe('0000-0000')
  expect(writeCode((limit) => limit - 1)).toBe('ZZZZ-ZZZZ')
})

import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { secretOf, signedHeaders } from './signature.ts'

const at = new Date('2026-11-21T09:00:00.400Z')
// The library of Standard Webhooks compares with the clock of the machine.
beforeEach(() => vi.useFakeTimers({ now: at, toFake: ['Date'] }))
afterEach(() => vi.useRealTimers())

const message = { id: 'crisis_alerts-17', body: '{"text":"déjà vu 급락"}' }
const [secret, old, other] = [1, 2, 3].map(() => secretOf(randomBytes(32))) as [string, string, string]

test('the library of Standard Webhooks verifies a message by each of the secrets that signed it, and by no other', () => {
  const headers = signedHeaders([secret, old], message, at)
  for (const one of [secret, old])
    expect(new Webhook(one).verify(message.body, headers)).toEqual(JSON.parse(message.body))
  expect(() => new Webhook(other).verify(message.body, headers)).toThrow('No matching signature')
})

test('a message is signed as the library itself signs it', () => {
  expect(signedHeaders([secret], message, at)['webhook-signature']).toBe(
    new Webhook(secret).sign(message.id, at, message.body),
  )
})

test('the signature covers body, id and time', () => {
  const headers = signedHeaders([secret], message, at)
  const verify = (body: string, more: object) => () => new Webhook(secret).verify(body, { ...headers, ...more })
  expect(verify(message.body, {})).not.toThrow()
  expect(verify(`${message.body} `, {})).toThrow('No matching signature')
  expect(verify(message.body, { 'webhook-id': 'crisis_alerts-18' })).toThrow('No matching signature')
  expect(verify(message.body, { 'webhook-timestamp': String(at.getTime() / 1000 - 1) })).toThrow()
})

import { expect, test } from 'vitest'
import type { OwnStatus } from './answers.ts'
import { ForeignLink, maySign, mustLink, stepsOf } from './linking.ts'

const WALLET = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const place = { host: 'hub.example', origin: 'https://hub.example' }
const message = `hub.example wants you to sign in with your Ethereum account:
${WALLET}

Link the account of this wallet at the venue to account 17 here, which can then prepare orders for it. This signature moves no money and approves no key.

URI: https://hub.example
Version: 1
Chain ID: 31337
Nonce: abcdefgh
Issued At: 2026-11-22T10:00:00.000Z`

test('a message that links this wallet here is signed', () => {
  expect(() => mustLink(message, WALLET.toLowerCase(), place)).not.toThrow()
})

test.each([
  ['another host', message.replace('hub.example wants', 'hub.exam wants')],
  ['another wallet', message.replace(WALLET, `0x${'1'.repeat(40)}`)],
  ['another origin', message.replace('URI: https://hub.example', 'URI: https://evil.example')],
  ['another purpose', message.replace('Link the account', 'Move the account')],
  ['a host in front of ours', message.replace('hub.example wants', 'evil.hub.example wants')],
])('a message with %s is not signed', (_, foreign) => {
  expect(() => mustLink(foreign, WALLET, place)).toThrow(ForeignLink)
})

const status = (over: Partial<OwnStatus>): OwnStatus =>
  ({
    wallet: WALLET,
    checks: [
      { id: 'linked', ok: true, fix: null },
      { id: 'key_approved', ok: false, fix: 'Sign it.' },
      { id: 'builder_fee_approved', ok: false, fix: 'Sign it.' },
      { id: 'not_leg_bound', ok: null, fix: 'Repeat later.' },
      { id: 'live_trading', ok: false, fix: 'Off.' },
    ],
    approvals: { order_key: {}, builder_fee: null, web_key: null },
    ...over,
  }) as unknown as OwnStatus

test('each step has one action, and none where nothing can be done here', () => {
  const steps = stepsOf({ status: status({}), hasPageKey: false, builder: null })
  expect(Object.fromEntries(steps.map(({ id, action }) => [id, action]))).toEqual({
    linked: null,
    key_approved: 'approve_key',
    builder_fee_approved: null,
    not_leg_bound: 'to_mandates',
    live_trading: null,
    page_key: 'make_page_key',
  })
  expect(steps.find(({ id }) => id === 'not_leg_bound')?.ok).toBeNull()
})

test('of a key that is not approved it is not said who made it', () => {
  const withKey = (approved: boolean | null) => {
    const checks = [
      { id: 'key_approved', ok: approved, fix: null },
      { id: 'key_matches_seed', ok: true, fix: null },
    ] as OwnStatus['checks']
    return stepsOf({ status: status({ checks }), hasPageKey: false, builder: null }).map(({ id }) => id)
  }
  expect(withKey(true)).toEqual(['key_approved', 'key_matches_seed', 'page_key'])
  for (const approved of [false, null]) expect(withKey(approved)).toEqual(['key_approved', 'page_key'])
})

test('without a linked account the page makes no key, and says nothing of what trades in it', () => {
  const steps = stepsOf({ status: status({ wallet: null }), hasPageKey: false, builder: null })
  expect(steps.map(({ id }) => id)).not.toContain('not_leg_bound')
  expect(steps.find(({ id }) => id === 'page_key')).toMatchObject({ ok: false, action: null })
})

test('an order is signed by the order key or the key of the page', () => {
  expect(maySign({ linked: true, order_key: 'enabled' }, false)).toBe(true)
  expect(maySign({ linked: true, order_key: 'expired' }, true)).toBe(true)
  expect(maySign({ linked: true, order_key: 'none' }, false)).toBe(false)
  expect(maySign({ linked: false, order_key: 'enabled' }, true)).toBe(false)
})

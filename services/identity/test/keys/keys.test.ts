import { isApiKey } from '@svc/contracts/api-key'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { asCaller, newIdempotencyKey, newWallet, openHarness, refused } from '../harness.ts'

const on = opened(() => openHarness())

test('a key makes another one with a name, scopes and an expiry, and the list shows both without their secrets', async () => {
  const { answer, caller } = await on.register()
  const made = await on.ask.createKey(
    { name: 'reader', scopes: ['read'], expires_at: '2027-01-01T00:00:00.000Z' },
    { caller },
  )
  expect(made).toMatchObject({ ok: true, name: 'reader', scopes: ['read'], expires_at: '2027-01-01T00:00:00.000Z' })
  expect(isApiKey(made.api_key)).toBe(true)
  expect(await on.resolveKey(made.api_key)).toMatchObject({
    account_id: answer.user_id,
    scopes: ['read'],
    key_id: made.key_id,
    expires_at: made.expires_at,
  })
  const list = await on.ask.listKeys({}, { caller })
  expect(list.next_cursor).toBeNull()
  expect(list.items.map((item) => item.name)).toEqual(expect.arrayContaining(['first key', 'reader']))
  expect(JSON.stringify(list)).not.toContain('svc_')
})

test('the list has only the keys of the caller', async () => {
  const [one, other] = [await on.register(), await on.register()]
  const list = await on.ask.listKeys({}, { caller: one.caller })
  expect(list.items.map((item) => item.key_id)).toEqual([one.caller.key_id])
  expect(list.items.map((item) => item.key_id)).not.toContain(other.caller.key_id)
})

test('without a body, a new key can read and write and never expires', async () => {
  const { caller } = await on.register()
  expect(await on.ask.createKey({}, { caller })).toMatchObject({
    name: 'key',
    scopes: ['read', 'write'],
    expires_at: null,
  })
})

test('a fresh signature of purpose key makes a key even if all others are lost', async () => {
  const { account, answer } = await on.register()
  const made = await on.ask.createKey({ ...(await on.prove(account, 'key')), name: 'after the loss' })
  expect(await on.resolveKey(made.api_key)).toMatchObject({ account_id: answer.user_id, scopes: ['read', 'write'] })
})

test('a signature makes no key for a wallet without an agent account', async () => {
  expect(await refused(on.ask.createKey(await on.prove(newWallet(), 'key')))).toMatchObject({
    status: 404,
    code: 'not_registered',
  })
})

test('a signature of another purpose makes no key', async () => {
  const { account } = await on.register()
  expect(await refused(on.ask.createKey(await on.prove(account, 'session')))).toMatchObject({
    status: 401,
    code: 'nonce_unknown',
  })
})

test('a signature without its wallet names the missing field', async () => {
  const { account } = await on.register()
  const { signature } = await on.prove(account, 'key')
  expect(await refused(on.ask.createKey({ signature }))).toMatchObject({
    status: 400,
    code: 'invalid_request',
    pointers: ['/wallet_address'],
  })
})

test('a call without key and signature, or by an owner, makes no key', async () => {
  expect(await refused(on.ask.createKey({}))).toMatchObject({ status: 401, code: 'unauthenticated' })
  const { caller } = await on.signIn()
  expect(await refused(on.ask.createKey({}, { caller }))).toMatchObject({ status: 403, code: 'forbidden' })
})

test('a key cannot grant scopes that it lacks, and never tx', async () => {
  const { caller } = await on.register()
  const reader = await on.ask.createKey({ scopes: ['read'] }, { caller })
  const asReader = asCaller(await on.resolveKey(reader.api_key))
  expect(await refused(on.ask.createKey({}, { caller: asReader }))).toMatchObject({
    status: 403,
    code: 'missing_scope',
    body: { required_scope: 'write' },
  })
  const writer = await on.ask.createKey({ scopes: ['write'] }, { caller })
  const asWriter = asCaller(await on.resolveKey(writer.api_key))
  expect(await refused(on.ask.createKey({ scopes: ['read', 'write'] }, { caller: asWriter }))).toMatchObject({
    status: 403,
    code: 'scope_not_grantable',
  })
  expect(await refused(on.ask.createKey({ scopes: ['read', 'tx'] } as never, { caller }))).toMatchObject({
    status: 400,
    code: 'invalid_request',
    pointers: ['/scopes/1'],
  })
})

test('a key with an expiry makes no key that outlives it', async () => {
  const { caller } = await on.register()
  const expires_at = '2026-12-01T00:00:00.000Z'
  const short = asCaller(await on.resolveKey((await on.ask.createKey({ expires_at }, { caller })).api_key))
  for (const wish of [{}, { expires_at: '2026-12-01T00:00:00.001Z' }]) {
    expect(await refused(on.ask.createKey(wish, { caller: short }))).toMatchObject({
      status: 403,
      code: 'key_outlives_grantor',
    })
  }
  expect((await on.ask.createKey({ expires_at }, { caller: short })).expires_at).toBe(expires_at)
})

test('an expiry in the past is refused, and a key stops at its expiry', async () => {
  const { caller } = await on.register()
  const at = (ms: number) => new Date(on.clock.now().getTime() + ms).toISOString()
  expect(await refused(on.ask.createKey({ expires_at: at(0) }, { caller }))).toMatchObject({
    status: 400,
    code: 'invalid_request',
    pointers: ['/expires_at'],
  })
  const made = await on.ask.createKey({ expires_at: at(1000) }, { caller })
  on.clock.advance(999)
  expect(await on.resolveKey(made.api_key)).not.toBeNull()
  on.clock.advance(1)
  expect(await on.resolveKey(made.api_key)).toBeNull()
})

test('an account has at most 20 live keys, also with concurrent calls', async () => {
  const { caller } = await on.register()
  const outcomes = await Promise.allSettled(Array.from({ length: 25 }, () => on.ask.createKey({}, { caller })))
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(19)
  expect(await refused(on.ask.createKey({}, { caller }))).toMatchObject({
    status: 409,
    code: 'key_limit',
    body: { limit: 20 },
  })
  const { items } = await on.ask.listKeys({}, { caller })
  await on.ask.revokeKey({ key_id: items.find((item) => item.key_id !== caller.key_id)?.key_id ?? '' }, { caller })
  expect((await on.ask.createKey({}, { caller })).ok).toBe(true)
})

test('a revoked key stops working at once, makes no other key, and is published once', async () => {
  const { answer, caller } = await on.register()
  const key_id = caller.key_id ?? ''
  const revoked = await on.ask.revokeKey({ key_id }, { caller })
  expect(revoked).toEqual({ ok: true, key_id, revoked_at: on.clock.now().toISOString() })
  expect(await on.resolveKey(answer.api_key)).toBeNull()
  expect(await refused(on.ask.createKey({}, { caller }))).toMatchObject({ status: 401, code: 'unauthenticated' })
  on.clock.advance(1000)
  expect(await on.ask.revokeKey({ key_id }, { caller })).toEqual(revoked)
  expect(await on.heard('keyRevoked', { key_id, account_id: answer.user_id })).toBe(1)
})

test('nobody revokes the key of another account', async () => {
  const [one, other] = [await on.register(), await on.register()]
  expect(await refused(on.ask.revokeKey({ key_id: other.caller.key_id ?? '' }, { caller: one.caller }))).toMatchObject({
    status: 404,
    code: 'unknown_key',
  })
  expect(await on.resolveKey(other.answer.api_key)).not.toBeNull()
})

test('the use of a key is stored at most once a minute', async () => {
  const { answer, caller } = await on.register()
  const lastUsed = async () => (await on.ask.listKeys({}, { caller })).items[0]?.last_used_at
  const first = on.clock.now().toISOString()
  expect(await lastUsed()).toBe(first)
  on.clock.advance(60_000)
  await on.resolveKey(answer.api_key)
  expect(await lastUsed()).toBe(first)
  on.clock.advance(1)
  await Promise.all(Array.from({ length: 10 }, () => on.resolveKey(answer.api_key)))
  expect(await lastUsed()).toBe(on.clock.now().toISOString())
})

test('a repeat with the same Idempotency-Key makes no second key and never shows the secret again', async () => {
  const { caller } = await on.register()
  const idempotencyKey = newIdempotencyKey()
  await on.ask.createKey({ name: 'once' }, { caller, idempotencyKey })
  expect(await refused(on.ask.createKey({ name: 'once' }, { caller, idempotencyKey }))).toMatchObject({
    status: 409,
    code: 'secret_already_shown',
  })
  expect((await on.ask.listKeys({}, { caller })).items.filter((item) => item.name === 'once')).toHaveLength(1)
})

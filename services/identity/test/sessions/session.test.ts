import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT, UnsecuredJWT } from 'jose'
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { opened } from '@svc/testing'
import { forgedJws, goodJws } from '@svc/testing/forged-jws'
import { expect, test } from 'vitest'
import { newIdempotencyKey, newWallet, openHarness, PUBLIC_URL, refused, SIGNING_KEY } from '../harness.ts'

const on = opened(() => openHarness())

test('signing in makes an owner account and returns a token that anybody can verify against the JWKS', async () => {
  const { account, answer } = await on.signIn()
  expect(answer.expires_at).toBe(new Date(on.clock.now().getTime() + 900_000).toISOString())
  expect(answer.wallet_address).toBe(account.address)
  const { keys } = await on.ask.listSigningKeys({})
  const { payload, protectedHeader } = await jwtVerify(answer.token, createLocalJWKSet({ keys: [...keys] }), {
    issuer: PUBLIC_URL,
    audience: PUBLIC_URL,
    algorithms: ['EdDSA'],
    currentDate: on.clock.now(),
  })
  expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'JWT', kid: keys[0]?.kid })
  expect(payload.sub).toBe(String(answer.user_id))
  expect(JSON.stringify(keys)).not.toContain('"d"')
  expect(await on.resolveToken(answer.token)).toEqual({
    account_id: answer.user_id,
    kind: 'owner',
    wallet: account.address,
    roles: [],
    scopes: ['read', 'write'],
    key_id: null,
    session_id: payload['sid'],
    expires_at: answer.expires_at,
  })
  expect(await on.heard('ownerRegistered', { account_id: answer.user_id, wallet: account.address })).toBe(1)
})

test('a wallet has one owner account for all its sessions, separate from its agent account', async () => {
  const account = newWallet()
  const agent = await on.register(account)
  const [first, second] = [await on.signIn(account), await on.signIn(account)]
  expect(second.answer.user_id).toBe(first.answer.user_id)
  expect(second.caller.session_id).not.toBe(first.caller.session_id)
  expect(agent.answer.user_id).not.toBe(first.answer.user_id)
  const ids = [agent.answer.user_id, first.answer.user_id].toSorted((a, b) => a - b)
  expect(await on.askAsMining.relatedAccounts({ account_id: first.answer.user_id })).toEqual({ account_ids: ids })
  const { accounts } = await on.askAsMining.getAccounts({
    account_ids: [agent.answer.user_id, 999_999, first.answer.user_id],
  })
  expect(accounts).toMatchObject([
    { kind: 'agent', name: 'Scout', wallet: account.address },
    null,
    { kind: 'owner', name: null, wallet: account.address },
  ])
})

test('a token is refused from its expiry on, and a changed, foreign or unsigned token always', async () => {
  const { answer } = await on.signIn()
  const [head, body, signature] = answer.token.split('.') as [string, string, string]
  const payload = decodeJwt(answer.token)
  const foreign = await new SignJWT(payload)
    .setProtectedHeader({ ...decodeProtectedHeader(answer.token), alg: 'EdDSA' })
    .sign(generateKeyPairSync('ed25519').privateKey)
  const shared = await new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode('x'.repeat(32)))
  const altered = `${head}.${Buffer.from(JSON.stringify({ ...payload, sub: '1' })).toString('base64url')}.${signature}`
  for (const bad of [
    foreign,
    shared,
    altered,
    new UnsecuredJWT(payload).encode(),
    `${head}.${body}.`,
    'x',
    `${answer.token}x`,
  ]) {
    expect(await on.resolveToken(bad)).toBeNull()
  }
  on.clock.advance(899_999)
  expect(await on.resolveToken(answer.token)).not.toBeNull()
  on.clock.advance(1)
  expect(await on.resolveToken(answer.token)).toBeNull()
})

test('a token with a forged header, key or form is refused, whatever it names, and the real one goes on', async () => {
  const { answer } = await on.signIn()
  const der = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    Buffer.from(SIGNING_KEY, 'base64url'),
  ])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const { kid = '' } = decodeProtectedHeader(answer.token)
  const good = { typ: 'JWT', kid, content: decodeJwt(answer.token), privateKey, publicKey: createPublicKey(privateKey) }
  expect(goodJws(good)).toBe(answer.token)
  for (const [title, jws] of forgedJws(good)) expect([title, await on.resolveToken(jws)]).toEqual([title, null])
  expect(await on.resolveToken(answer.token)).not.toBeNull()
})

test('what the same key signed for another purpose is no token, whatever it says', async () => {
  const { answer } = await on.signIn()
  const der = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    Buffer.from(SIGNING_KEY, 'base64url'),
  ])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const { kid = '' } = decodeProtectedHeader(answer.token)
  const good = { kid, content: decodeJwt(answer.token), privateKey, publicKey: createPublicKey(privateKey) }
  for (const typ of ['record-head+json', 'balance-root+json', 'leg-receipt+json', 'application/JWT', 'jwt', ''])
    expect([typ, await on.resolveToken(goodJws({ ...good, typ }))]).toEqual([typ, null])
})

test('refreshing returns new tokens of the same session', async () => {
  const { answer, caller } = await on.signIn()
  on.clock.advance(3_600_000)
  const next = await on.ask.refreshSession({ refresh_token: answer.refresh_token })
  expect(next.user_id).toBe(answer.user_id)
  expect(next.wallet_address).toBe(answer.wallet_address)
  expect(next.refresh_token).not.toBe(answer.refresh_token)
  expect((await on.resolveToken(next.token))?.session_id).toBe(caller.session_id)
})

test('a refresh token sent again within 10 seconds is answered again, so that a lost answer ends nothing', async () => {
  const { answer, account } = await on.signIn()
  const lost = await on.ask.refreshSession({ refresh_token: answer.refresh_token })
  on.clock.advance(10_000)
  const again = await on.ask.refreshSession({ refresh_token: answer.refresh_token })
  expect(again).toMatchObject({ user_id: answer.user_id, wallet_address: account.address })
  expect(again.refresh_token).not.toBe(lost.refresh_token)
  expect(await on.resolveToken(again.token)).not.toBeNull()
  expect(await on.ask.refreshSession({ refresh_token: again.refresh_token })).toMatchObject({ ok: true })
})

test('a refresh token sent again after its successor was used ends the session for both parties that have it', async () => {
  const { answer, caller } = await on.signIn()
  const next = await on.ask.refreshSession({ refresh_token: answer.refresh_token })
  const newest = await on.ask.refreshSession({ refresh_token: next.refresh_token })
  expect(await refused(on.ask.refreshSession({ refresh_token: answer.refresh_token }))).toMatchObject({
    status: 401,
    code: 'refresh_token_reused',
  })
  expect(await on.resolveToken(newest.token)).toBeNull()
  expect(await refused(on.ask.refreshSession({ refresh_token: newest.refresh_token }))).toMatchObject({
    status: 401,
    code: 'session_over',
  })
  expect(await on.heard('sessionEnded', { session_id: caller.session_id, reason: 'reuse' })).toBe(1)
})

test('of many refreshes with one token at once all are answered, and any one of the answers carries the session on', async () => {
  const { answer } = await on.signIn()
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => on.ask.refreshSession({ refresh_token: answer.refresh_token })),
  )
  expect(new Set(answers.map((one) => one.refresh_token)).size).toBe(6)
  expect(await on.ask.refreshSession({ refresh_token: answers[3]?.refresh_token ?? '' })).toMatchObject({ ok: true })
  const other = on.ask.refreshSession({ refresh_token: answers[4]?.refresh_token ?? '' })
  expect(await refused(other)).toMatchObject({ code: 'refresh_token_reused' })
})

test('an invented refresh token is refused and ends nothing', async () => {
  const { answer, caller } = await on.signIn()
  const bytes = Buffer.concat([Buffer.from(caller.session_id ?? '', 'hex'), Buffer.alloc(48, 1)])
  for (const invented of [`svr_${bytes.toString('base64url')}`, 'svr_x', 'x']) {
    expect(await refused(on.ask.refreshSession({ refresh_token: invented }))).toMatchObject({
      status: 401,
      code: 'refresh_token_invalid',
    })
  }
  expect(await on.resolveToken(answer.token)).not.toBeNull()
})

test('a session ends after 30 days without a refresh, and after 90 days in any case', async () => {
  const day = 86_400_000
  const resting = (await on.signIn()).answer
  let busy = (await on.signIn()).answer
  for (let days = 29; days <= 58; days += 29) {
    on.clock.advance(29 * day)
    busy = await on.ask.refreshSession({ refresh_token: busy.refresh_token })
  }
  // Two days before it is forgotten.
  expect(await refused(on.ask.refreshSession({ refresh_token: resting.refresh_token }))).toMatchObject({
    code: 'session_over',
  })
  on.clock.advance(29 * day)
  busy = await on.ask.refreshSession({ refresh_token: busy.refresh_token })
  on.clock.advance(3 * day)
  expect(await refused(on.ask.refreshSession({ refresh_token: busy.refresh_token }))).toMatchObject({
    code: 'session_over',
  })
})

test('signing out ends the session at once and is published once', async () => {
  const { answer, caller } = await on.signIn()
  expect(await on.ask.endSession({}, { caller })).toEqual({ ok: true })
  expect(await on.resolveToken(answer.token)).toBeNull()
  expect(await refused(on.ask.refreshSession({ refresh_token: answer.refresh_token }))).toMatchObject({
    code: 'session_over',
  })
  expect(await on.ask.endSession({}, { caller })).toEqual({ ok: true })
  expect(await on.heard('sessionEnded', { session_id: caller.session_id, reason: 'logout' })).toBe(1)
})

test('the 21st session of an owner replaces the oldest', async () => {
  const account = newWallet()
  const sessions = []
  for (let count = 0; count < 21; count += 1) {
    sessions.push(await on.signIn(account))
    on.clock.advance(1)
  }
  expect(await on.resolveToken(sessions[0]?.answer.token ?? '')).toBeNull()
  expect(await on.resolveToken(sessions[1]?.answer.token ?? '')).not.toBeNull()
  expect(await on.heard('sessionEnded', { session_id: sessions[0]?.caller.session_id, reason: 'replaced' })).toBe(1)
})

test('a repeated sign-in with the same Idempotency-Key never shows the tokens again', async () => {
  const proof = await on.prove(newWallet(), 'session')
  const idempotencyKey = newIdempotencyKey()
  await on.ask.openSession(proof, { idempotencyKey })
  expect(await refused(on.ask.openSession(proof, { idempotencyKey }))).toMatchObject({
    status: 409,
    code: 'secret_already_shown',
  })
})

test('a token that lives longer than ours, was issued in the future or names no time is refused, even if our key signed it', async () => {
  const { answer } = await on.signIn()
  const { iat: issued = 0, exp = 0, ...rest } = decodeJwt(answer.token)
  const seed = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    Buffer.from(SIGNING_KEY, 'base64url'),
  ])
  const key = createPrivateKey({ key: seed, format: 'der', type: 'pkcs8' })
  const header = { ...decodeProtectedHeader(answer.token), alg: 'EdDSA' }
  const signed = (times: { iat?: number; exp?: number }) =>
    new SignJWT({ ...rest, ...times }).setProtectedHeader(header).sign(key)
  expect(await on.resolveToken(await signed({ iat: issued, exp }))).not.toBeNull()
  const year = 365 * 86_400
  for (const times of [
    { iat: issued, exp: issued + year },
    { iat: issued - year, exp },
    { iat: issued + 120, exp },
    { exp },
  ])
    expect(await on.resolveToken(await signed(times))).toBeNull()
})

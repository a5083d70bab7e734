import { isApiKey } from '@svc/contracts/api-key'
import { openPool, sql } from '@svc/postgres'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { newIdempotencyKey, newWallet, openHarness, PUBLIC_URL, refused } from '../harness.ts'

const LIFE_MS = 300_000
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const on = opened(() => openHarness())

const stored = async () => {
  const pool = await openPool(on.stack.databaseOf('identity').url)
  try {
    const accounts = await pool.any(sql.type(z.object({ wallet: z.string() }))`SELECT wallet FROM accounts`)
    const secrets = await pool.any(sql.unsafe`
      SELECT to_jsonb(k)::text FROM api_keys AS k UNION ALL SELECT to_jsonb(o)::text FROM outbox AS o
      UNION ALL SELECT to_jsonb(i)::text FROM idempotency AS i`)
    return {
      accountsOf: (address: string) => accounts.filter(({ wallet }) => wallet === address.toLowerCase()).length,
      text: JSON.stringify(secrets),
    }
  } finally {
    await pool.end()
  }
}

test('a nonce comes with the message to sign and its expiry in 5 minutes', async () => {
  const account = newWallet()
  const { nonce, message, expires_at } = await on.challenge(account.address)
  expect(nonce).toMatch(/^[0-9A-Za-z]{22}$/)
  expect(message).toContain(
    `${new URL(PUBLIC_URL).host} wants you to sign in with your Ethereum account:\n${account.address}\n`,
  )
  expect(message).toContain(`Nonce: ${nonce}\n`)
  expect(message).toContain('Register this wallet as an agent account')
  expect(expires_at).toBe('2026-11-21T09:05:00.000Z')
  expect((await on.challenge(account.address)).nonce).not.toBe(nonce)
})

test('registering makes an account and a key with read and write, and is published', async () => {
  const { account, answer } = await on.register()
  expect(answer).toMatchObject({ ok: true, welcome_cherry: 10, tier: 'free' })
  expect(isApiKey(answer.api_key)).toBe(true)
  expect(await on.resolveKey(answer.api_key)).toMatchObject({
    account_id: answer.user_id,
    kind: 'agent',
    wallet: account.address,
    roles: [],
    scopes: ['read', 'write'],
    session_id: null,
    expires_at: null,
  })
  expect(
    await on.heard('agentRegistered', { account_id: answer.user_id, wallet: account.address, agent_name: 'Scout' }),
  ).toBe(1)
})

test('the key itself is nowhere in the database', async () => {
  const input = { ...(await on.prove(newWallet(), 'register')), agent_name: 'a' }
  const { api_key } = await on.ask.registerAgent(input, { idempotencyKey: newIdempotencyKey() })
  const { text } = await stored()
  expect(text).toContain('registerAgent')
  expect(text).not.toContain(api_key)
  expect(text).not.toContain(input.signature)
})

test('any case of the address is accepted, a wrong checksum and the zero address name the field', async () => {
  const account = newWallet()
  const lower = account.address.toLowerCase()
  const { message } = await on.challenge(`0x${lower.slice(2).toUpperCase()}`)
  const answer = await on.ask.registerAgent({
    wallet_address: lower,
    signature: await account.signMessage({ message }),
    agent_name: 'a',
  })
  expect(answer.ok).toBe(true)
  for (const wrong of ['0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed', `0x${'0'.repeat(40)}`]) {
    expect(await refused(on.challenge(wrong))).toMatchObject({
      status: 400,
      code: 'invalid_request',
      pointers: ['/wallet_address'],
    })
  }
})

test('a wallet registers once; its second account is refused', async () => {
  const { account } = await on.register()
  expect(await refused(on.register(account))).toMatchObject({ status: 409, code: 'already_registered' })
})

test('of many registrations of one wallet at once, exactly one makes an account', async () => {
  const account = newWallet()
  const proofs = await Promise.all(Array.from({ length: 6 }, () => on.prove(account, 'register')))
  const outcomes = await Promise.allSettled(proofs.map((proof) => on.ask.registerAgent({ ...proof, agent_name: 'a' })))
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  expect((await stored()).accountsOf(account.address)).toBe(1)
})

test('a signature works once, also when it is sent many times at once', async () => {
  const account = newWallet()
  const proof = await on.prove(account, 'session')
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => on.ask.openSession(proof)))
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  expect(await refused(on.ask.openSession(proof))).toMatchObject({ status: 401, code: 'nonce_unknown' })
})

test('without a nonce nothing can be signed', async () => {
  const account = newWallet()
  const signature = await account.signMessage({ message: 'anything' })
  expect(
    await refused(on.ask.registerAgent({ wallet_address: account.address, signature, agent_name: 'a' })),
  ).toMatchObject({ status: 401, code: 'nonce_unknown' })
})

test('a signature for one purpose is refused for another', async () => {
  const account = newWallet()
  const session = await on.challenge(account.address, 'session')
  const signature = await account.signMessage({ message: session.message })
  const input = { wallet_address: account.address, signature, agent_name: 'a' }
  expect(await refused(on.ask.registerAgent(input))).toMatchObject({ code: 'nonce_unknown' })
  await on.challenge(account.address, 'register')
  expect(await refused(on.ask.registerAgent(input))).toMatchObject({
    status: 401,
    code: 'signature_invalid',
    pointers: ['/signature'],
  })
  expect(await refused(on.ask.registerAgent({ ...input, message: session.message }))).toMatchObject({
    status: 401,
    code: 'message_mismatch',
    body: { part: 'purpose' },
  })
})

test('a signature of another wallet is refused and does not consume the nonce', async () => {
  const [account, stranger] = [newWallet(), newWallet()]
  const { message } = await on.challenge(account.address)
  const wrong = { wallet_address: account.address, signature: await stranger.signMessage({ message }), agent_name: 'a' }
  expect(await refused(on.ask.registerAgent(wrong))).toMatchObject({ status: 401, code: 'signature_invalid' })
  expect((await on.ask.registerAgent({ ...wrong, signature: await account.signMessage({ message }) })).ok).toBe(true)
})

test('a message is valid until its last second and not after it', async () => {
  const [early, late] = [newWallet(), newWallet()]
  const inTime = await on.prove(early, 'register')
  const challenge = await on.challenge(late.address)
  const tooLate = {
    wallet_address: late.address,
    signature: await late.signMessage({ message: challenge.message }),
    agent_name: 'a',
  }
  on.clock.advance(299_999)
  expect((await on.ask.registerAgent({ ...inTime, agent_name: 'a' })).ok).toBe(true)
  on.clock.advance(1)
  expect(await refused(on.ask.registerAgent(tooLate))).toMatchObject({ status: 401, code: 'message_expired' })
  expect(await refused(on.ask.registerAgent({ ...tooLate, message: challenge.message }))).toMatchObject({
    status: 401,
    code: 'message_expired',
  })
})

test('a message that differs from ours is refused, naming the part that differs', async () => {
  const account = newWallet()
  const { message } = await on.challenge(account.address)
  const send = async (text: string) =>
    refused(
      on.ask.registerAgent({
        wallet_address: account.address,
        signature: await account.signMessage({ message: text }),
        message: text,
        agent_name: 'a',
      }),
    )
  const parts: [string, string][] = [
    ['domain', message.replace('svc.example wants', 'evil.example wants')],
    ['uri', message.replace('URI: https://svc.example', 'URI: https://evil.example')],
    ['chain_id', message.replace('Chain ID: 1', 'Chain ID: 10')],
    ['wallet', message.replace(account.address, newWallet().address)],
    ['extra', `${message}\nRequest ID: 7`],
    ['text', message.replace('Issued At: 2026', 'Issued At: 2025')],
  ]
  for (const [part, text] of parts)
    expect(await send(text)).toMatchObject({
      status: 401,
      code: 'message_mismatch',
      pointers: ['/message'],
      body: { part },
    })
  expect(await send('please sign me in')).toMatchObject({
    status: 400,
    code: 'invalid_request',
    pointers: ['/message'],
  })
  expect(await send(message.replace(/Nonce: \w+/, 'Nonce: 00000000invented'))).toMatchObject({
    status: 401,
    code: 'nonce_unknown',
  })
  const answer = await on.ask.registerAgent({
    wallet_address: account.address,
    signature: await account.signMessage({ message }),
    message,
    agent_name: 'a',
  })
  expect(answer.ok).toBe(true)
})

test("no number of messages that strangers request displaces a wallet's own message within its five minutes", async () => {
  const account = newWallet()
  const first = await on.challenge(account.address)
  const askedByStrangers = async () => {
    for (let count = 0; count < 20; count += 1) await on.challenge(account.address)
  }
  await askedByStrangers()
  on.clock.advance(120_000)
  await askedByStrangers()
  on.clock.advance(LIFE_MS - 120_000 - 1)
  await askedByStrangers()
  const signature = await account.signMessage({ message: first.message })
  const input = { wallet_address: account.address, signature, agent_name: 'a' }
  expect((await on.ask.registerAgent(input)).ok).toBe(true)
  expect(await refused(on.ask.registerAgent(input))).toMatchObject({ code: 'signature_invalid' })
})

test('a message that many requesters share is valid for at least four and a half minutes, and for one use', async () => {
  const account = newWallet()
  for (let count = 0; count < 20; count += 1) await on.challenge(account.address, 'session')
  on.clock.advance(29_000)
  const { message, expires_at } = await on.challenge(account.address, 'session')
  expect(Date.parse(expires_at) - on.clock.now().getTime()).toBeGreaterThanOrEqual(LIFE_MS - 30_000)
  expect(message).toContain(`Expiration Time: ${expires_at}`)
  const proof = { wallet_address: account.address, signature: await account.signMessage({ message }) }
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => on.ask.openSession(proof)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('second forms of a signature are refused', async () => {
  const account = newWallet()
  const { message } = await on.challenge(account.address)
  const signature = await account.signMessage({ message })
  const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`)
  const flipped = `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${signature.endsWith('1b') ? '1c' : '1b'}`
  const zeroBased = `${signature.slice(0, 130)}${signature.endsWith('1b') ? '00' : '01'}`
  for (const second of [flipped, zeroBased]) {
    expect(
      await refused(on.ask.registerAgent({ wallet_address: account.address, signature: second, agent_name: 'a' })),
    ).toMatchObject({
      status: 401,
      code: 'signature_malleable',
      pointers: ['/signature'],
    })
  }
  expect((await on.ask.registerAgent({ wallet_address: account.address, signature, agent_name: 'a' })).ok).toBe(true)
})

test.each([
  ['signature', { signature: 'deadbeef' }],
  ['signature', { signature: '0x123' }],
  ['agent_name', { agent_name: '' }],
  ['agent_name', { agent_name: 'line\nbreak' }],
  ['agent_name', { agent_name: 'hidden\u202Eorder' }],
  ['agent_name', { agent_name: 'x'.repeat(65) }],
  ['agent_nam', { agent_nam: 'typo' }],
])('a bad %s is named and nothing is stored', async (field, change) => {
  const account = newWallet()
  const input = { wallet_address: account.address, signature: `0x${'11'.repeat(65)}`, agent_name: 'a', ...change }
  expect(await refused(on.ask.registerAgent(input))).toMatchObject({
    status: 400,
    code: 'invalid_request',
    pointers: [`/${field}`],
  })
  expect((await stored()).accountsOf(account.address)).toBe(0)
})

test('a repeat with the same Idempotency-Key never shows the secret again', async () => {
  const account = newWallet()
  const input = { ...(await on.prove(account, 'register')), agent_name: 'a' }
  const idempotencyKey = newIdempotencyKey()
  await on.ask.registerAgent(input, { idempotencyKey })
  expect(await refused(on.ask.registerAgent(input, { idempotencyKey }))).toMatchObject({
    status: 409,
    code: 'secret_already_shown',
  })
})

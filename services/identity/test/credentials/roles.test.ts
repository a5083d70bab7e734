import { eventually } from '@svc/testing'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KEEPER_SECRET, newWallet, openHarness, refused, SIGNING_KEY, type Harness } from '../harness.ts'

const [admin, reviewer] = [newWallet(), newWallet()]
const folder = mkdtempSync(join(tmpdir(), 'roles-'))
const adminFile = join(folder, 'admins')
let on: Harness
beforeAll(async () => {
  writeFileSync(adminFile, admin.address)
  on = await openHarness({
    SVC_ADMIN_WALLETS_FILE: adminFile,
    SVC_REVIEWER_WALLETS: ` ${reviewer.address.toLowerCase()}, ${admin.address} `,
  })
})
afterAll(async () => {
  await on?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('an owner session carries the roles of its wallet, an agent key never', async () => {
  expect((await on.signIn(admin)).caller.roles).toEqual(['admin', 'reviewer'])
  expect((await on.signIn(reviewer)).caller.roles).toEqual(['reviewer'])
  expect((await on.signIn()).caller.roles).toEqual([])
  expect((await on.register(admin)).caller.roles).toEqual([])
})

test('a removed role is lost, also for tokens issued before', async () => {
  const { answer } = await on.signIn(admin)
  writeFileSync(adminFile, newWallet().address)
  const rolesBecome = (wanted: string[]) =>
    eventually(async () => expect((await on.resolveToken(answer.token))?.roles).toEqual(wanted))
  await rolesBecome(['reviewer'])
  writeFileSync(adminFile, 'not a wallet')
  await rolesBecome([])
  writeFileSync(adminFile, admin.address)
  await rolesBecome(['admin', 'reviewer'])
  expect((await on.resolveToken(answer.token))?.kind).toBe('owner')
})

test('one call resolves keys and tokens of many accounts in the requested order', async () => {
  const [agent, owner] = [await on.register(), await on.signIn()]
  const keeper = await on.ask.mintServiceToken({ client_secret: KEEPER_SECRET })
  const hash = createHash('sha256').update(agent.answer.api_key).digest('hex')
  const { callers } = await on.ask.resolveCredentials({
    credentials: [
      { kind: 'token', token: owner.answer.token },
      { kind: 'key', hash: '0'.repeat(64) },
      { kind: 'key', hash },
      { kind: 'token', token: keeper.token },
      { kind: 'token', token: 'nonsense' },
      { kind: 'key', hash },
    ],
  })
  expect(callers.map((caller) => caller?.account_id ?? null)).toEqual([
    owner.answer.user_id,
    null,
    agent.answer.user_id,
    0,
    null,
    agent.answer.user_id,
  ])
})

test('the client secret is exchanged for a keeper token of 15 minutes', async () => {
  const { token, expires_at } = await on.ask.mintServiceToken({ client_secret: KEEPER_SECRET })
  expect(await on.resolveToken(token)).toEqual({
    account_id: 0,
    kind: 'service',
    wallet: null,
    roles: ['keeper'],
    scopes: ['read', 'write'],
    key_id: null,
    session_id: null,
    expires_at,
  })
  on.clock.advance(900_000)
  expect(await on.resolveToken(token)).toBeNull()
})

test('a wrong client secret is refused', async () => {
  for (const client_secret of ['x', `${KEEPER_SECRET} `, KEEPER_SECRET.slice(0, -1)]) {
    expect(await refused(on.ask.mintServiceToken({ client_secret }))).toMatchObject({
      status: 401,
      code: 'client_secret_wrong',
    })
  }
})

test('a client secret is replaced while it is used: both mint tokens and both tokens are valid, until the old one is removed', async () => {
  const next = 'n'.repeat(32)
  const before = await on.ask.mintServiceToken({ client_secret: KEEPER_SECRET })
  await on.restart({ SVC_KEEPER_CLIENT_SECRET: next, SVC_KEEPER_PREVIOUS_SECRET: KEEPER_SECRET })
  const late = await on.ask.mintServiceToken({ client_secret: KEEPER_SECRET })
  const after = await on.ask.mintServiceToken({ client_secret: next })
  for (const { token } of [before, late, after]) expect((await on.resolveToken(token))?.roles).toEqual(['keeper'])
  await on.restart({ SVC_KEEPER_CLIENT_SECRET: next })
  expect(await on.resolveToken(late.token)).toBeNull()
  expect((await on.resolveToken(after.token))?.roles).toEqual(['keeper'])
  await on.restart({ SVC_KEEPER_CLIENT_SECRET: KEEPER_SECRET })
})

test('a keeper token ends with its client secret, and tokens of the previous key stay valid while that key is listed', async () => {
  const keeper = await on.ask.mintServiceToken({ client_secret: KEEPER_SECRET })
  const { answer } = await on.signIn()
  const before = (await on.ask.listSigningKeys({})).keys[0]
  const next = Buffer.alloc(32, 9).toString('base64url')
  await on.restart({
    SVC_KEEPER_CLIENT_SECRET: 'k'.repeat(32),
    SVC_SESSION_SIGNING_KEY: next,
    SVC_SESSION_PREVIOUS_KEYS: before?.x ?? '',
  })
  expect((await on.ask.listSigningKeys({})).keys).toHaveLength(2)
  expect(await on.resolveToken(answer.token)).not.toBeNull()
  expect(await on.resolveToken(keeper.token)).toBeNull()
  await on.restart({ SVC_SESSION_SIGNING_KEY: next })
  expect(await on.resolveToken(answer.token)).toBeNull()
  await on.restart({ SVC_SESSION_SIGNING_KEY: SIGNING_KEY, SVC_KEEPER_CLIENT_SECRET: undefined })
  expect(await refused(on.ask.mintServiceToken({ client_secret: KEEPER_SECRET }))).toMatchObject({
    status: 401,
    code: 'client_secret_wrong',
  })
  expect(await on.resolveToken(keeper.token)).toBeNull()
})

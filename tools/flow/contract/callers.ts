import { createPrivateKey, generateKeyPairSync, randomBytes, randomInt, sign, type KeyObject } from 'node:crypto'
import type { Scope, Tier } from '@svc/contract'
import { formatApiKey } from '@svc/contracts/api-key'
import { ask } from '../client.ts'
import { registerAgent, registerSubscriber, signIn } from '../people.ts'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import type { World } from './world.ts'

/** A kind of caller: its credentials and rights. */
export interface TestCaller {
  readonly name: string
  /** Account id, if a test may need it in a path. */
  readonly id?: number
  /** Returns the credentials of the account; new ones if `fresh`, after the last were ended. */
  headers(fresh?: boolean): Promise<Readonly<Record<string, string>>>
  /** `none` sends nothing, `bad` sends invalid credentials; otherwise the kind of account. */
  readonly kind: 'none' | 'bad' | 'agent' | 'owner' | 'service'
  readonly roles: readonly string[]
  readonly scopes: readonly Scope[]
  readonly tier: Tier
}

const keyHeader = (key: string) => ({ 'x-svc-user-key': key })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Returns the header of a random client address, so that allowances per client do not interfere. */
export function strangerAddress(): Readonly<Record<string, string>> {
  return { 'x-forwarded-for': [10, randomInt(256), randomInt(256), randomInt(256)].join('.') }
}

/** Returns the token with changed claims, signed with the given key. */
function resigned(token: string, key: KeyObject, change: Readonly<Record<string, unknown>>): string {
  const [head = '', body = ''] = token.split('.')
  const claims = { ...(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as object), ...change }
  const signed = `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
}

function ed25519Of(seed: string): KeyObject {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
  return createPrivateKey({
    key: Buffer.concat([prefix, Buffer.from(seed, 'base64url')]),
    format: 'der',
    type: 'pkcs8',
  })
}

/** Creates every kind of caller through the API. */
export async function everyCaller(world: World): Promise<readonly TestCaller[]> {
  const { url, platform } = world
  const { house, servers } = platform
  const fixed = (
    name: string,
    kind: TestCaller['kind'],
    headers: Readonly<Record<string, string>>,
    more: Partial<TestCaller> = {},
  ): TestCaller => ({
    name,
    kind,
    roles: [],
    scopes: [],
    tier: 0,
    headers: async () => headers,
    ...more,
  })
  const session = async (name: string, wallet: PrivateKeyAccount, roles: readonly string[]): Promise<TestCaller> => {
    let { token } = await signIn(url, wallet)
    return {
      name,
      kind: 'owner',
      roles,
      scopes: ['read', 'write'],
      tier: 0,
      headers: async (fresh = false) => {
        if (fresh) ({ token } = await signIn(url, wallet))
        return bearer(token)
      },
    }
  }
  const newWallet = () => privateKeyToAccount(generatePrivateKey())
  const admin = await session('admin', house.admin, ['admin'])

  const free = await registerAgent(url)
  const rich = await registerSubscriber(url, house.admin)

  const reading = await ask(url, '/auth/agent/keys', { key: free.key, body: { name: 'reader', scopes: ['read'] } })
  const revoked = await ask(url, '/auth/agent/keys', { key: free.key, body: { name: 'revoked' } })
  await ask(url, `/auth/agent/keys/${revoked.body.key_id}`, { key: free.key, method: 'DELETE' })

  const person = await signIn(url, newWallet())
  const leaver = await signIn(url, newWallet())
  await ask(url, '/auth/session/logout', { token: leaver.token, body: {} })
  const keeper = await ask(url, '/auth/service/token', {
    body: { client_secret: servers.secrets.password('keeper-client') },
  })
  const hourAgo = Math.floor(Date.now() / 1000) - 3_600
  const signingKey = ed25519Of(servers.secrets.password('session-signing-key'))
  const strangerKey = generateKeyPairSync('ed25519').privateKey

  return [
    fixed('nobody', 'none', {}),
    fixed('unknown key', 'bad', keyHeader(formatApiKey(randomBytes(32)))),
    fixed('malformed key', 'bad', keyHeader('svc_nonsense')),
    fixed('revoked key', 'bad', keyHeader(revoked.body.api_key)),
    fixed('malformed token', 'bad', bearer('a.b.c')),
    fixed('expired token', 'bad', bearer(resigned(person.token, signingKey, { iat: hourAgo - 900, exp: hourAgo }))),
    fixed('forged token', 'bad', bearer(resigned(person.token, strangerKey, {}))),
    fixed('token of an ended session', 'bad', bearer(leaver.token)),
    fixed('key and token at once', 'bad', { ...keyHeader(free.key), ...bearer(person.token) }),
    fixed('agent on Free', 'agent', keyHeader(free.key), { id: free.id, scopes: ['read', 'write'] }),
    fixed('agent on Tier 1', 'agent', keyHeader(rich.key), { scopes: ['read', 'write'], tier: 1 }),
    fixed('agent with scope read', 'agent', keyHeader(reading.body.api_key), { scopes: ['read'] }),
    await session('owner', newWallet(), []),
    await session('reviewer', house.reviewers[0], ['reviewer']),
    admin,
    fixed('keeper', 'service', bearer(keeper.body.token), { roles: ['keeper'], scopes: ['read', 'write'] }),
  ]
}

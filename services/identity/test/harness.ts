import { contract, ok, type BodyOf, type Caller, type Environment } from '@svc/contract'
import { gateway } from '@svc/contracts/gateway'
import { identity } from '@svc/contracts/identity'
import { clientOf, listenForEvents, openLog, RemoteRefusal, type AnyHandler, type Bus } from '@svc/service'
import { eventually, FakeClock, startPeer, testStack, type TestStack } from '@svc/testing'
import { createHash, randomBytes } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { start } from '../src/main.ts'
import { partyOperations } from '@svc/contracts/mandates/overview'

export const SIGNING_KEY = Buffer.alloc(32, 7).toString('base64url')
export const KEEPER_SECRET = 'keeper-secret-of-the-tests-0123456789'
export const PUBLIC_URL = 'https://svc.example'

const mining = contract('mining', { title: 'Asks identity', operations: {}, postgres: false })
const hlLeg = contract('hl-leg', { title: 'Asks identity', operations: {}, postgres: false })
const hlTrade = contract('hl-trade', { title: 'Asks identity', operations: {}, postgres: false })
const subscriptions = contract('subscriptions', { title: 'Asks identity', operations: {}, postgres: false })
const gallery = contract('gallery', { title: 'Asks identity', operations: {}, postgres: false })
const mandates = contract('mandates', {
  title: 'Asks identity',
  operations: { listMandatesOf: partyOperations.listMandatesOf },
  postgres: false,
})

type Resolved = BodyOf<typeof identity.operations.resolveCredentials>['callers'][number]
type Purpose = 'register' | 'key' | 'session'
/** The members of an input that prove a wallet. */
export type Proof = { wallet_address: string; signature: string; message?: string }

/** What the neighbours of identity know; tests change it. */
interface World {
  mandates: (BodyOf<typeof partyOperations.listMandatesOf>['items'][number] & { readonly account_id: number })[]
}

/** Identity over real servers, asked as the gateway asks it. */
export async function openHarness(more: Environment = {}, clock = new FakeClock('2026-11-21T09:00:00.000Z')) {
  const stack: TestStack = await testStack([
    identity,
    gateway,
    mining,
    hlLeg,
    hlTrade,
    gallery,
    subscriptions,
    mandates,
  ])
  const environment = stack.environmentOf('identity', {
    SVC_SESSION_SIGNING_KEY: SIGNING_KEY,
    SVC_KEEPER_CLIENT_SECRET: KEEPER_SECRET,
    SVC_PUBLIC_URL: PUBLIC_URL,
    ...more,
  })
  const world: World = { mandates: [] }
  const listMandatesOf: AnyHandler = async ({ account_id }: { account_id: number }) =>
    ok(200, { items: world.mandates.filter((one) => one.account_id === account_id) })
  const startMandates = () => startPeer(stack, mandates, { answers: { listMandatesOf } })
  let mandatesService = await startMandates()
  let service = await start(environment, { clock })
  const bus: Bus = await stack.nats.connect('gateway')
  const miningBus = await stack.nats.connect('mining')
  const galleryBus = await stack.nats.connect('gallery')
  const mandatesBus = await stack.nats.connect('mandates')
  const legBus = await stack.nats.connect('hl-leg')
  const subscriptionsBus = await stack.nats.connect('subscriptions')
  const tradeBus = await stack.nats.connect('hl-trade')
  const ask = clientOf(bus, 'gateway', identity)
  const events: { readonly name: string; readonly payload: unknown }[] = []
  listenForEvents(bus.connection, 'evt.identity.>', openLog('test', 'silent'), (payload, name) => {
    events.push({ name, payload })
  })

  const challenge = (wallet_address: string, purpose?: Purpose) =>
    ask.requestNonce({ wallet_address, ...(purpose === undefined ? {} : { purpose }) })
  const prove = async (account: PrivateKeyAccount, purpose: Purpose): Promise<Proof> => {
    const { message } = await challenge(account.address, purpose)
    return { wallet_address: account.address, signature: await account.signMessage({ message }) }
  }
  const resolveKey = async (key: string) => {
    const { callers } = await ask.resolveCredentials({
      credentials: [{ kind: 'key', hash: createHash('sha256').update(key).digest('hex') }],
    })
    return callers[0] ?? null
  }
  const resolveToken = async (token: string) => {
    const { callers } = await ask.resolveCredentials({ credentials: [{ kind: 'token', token }] })
    return callers[0] ?? null
  }
  return {
    stack,
    clock,
    ask,
    environment,
    askAsGallery: clientOf(galleryBus, 'gallery', identity),
    askAsMining: clientOf(miningBus, 'mining', identity),
    world,
    /** Takes the mandates service away while `work` runs. */
    withoutMandates: async <T>(work: () => Promise<T>): Promise<T> => {
      await mandatesService.stop()
      try {
        return await work()
      } finally {
        mandatesService = await startMandates()
      }
    },
    askAsMandates: clientOf(mandatesBus, 'mandates', identity),
    askAsLeg: clientOf(legBus, 'hl-leg', identity),
    askAsSubscriptions: clientOf(subscriptionsBus, 'subscriptions', identity),
    askAsTrade: clientOf(tradeBus, 'hl-trade', identity),
    challenge,
    prove,
    resolveKey,
    resolveToken,
    /** Waits until an event with these members was published, and says how often it was. */
    heard: (name: keyof typeof identity.events, members: object) =>
      eventually(
        () =>
          events.filter(
            (one) =>
              one.name === name &&
              Object.entries(members).every(([key, value]) => Reflect.get(Object(one.payload), key) === value),
          ).length || false,
      ),
    register: async (account: PrivateKeyAccount = newWallet()) => {
      const answer = await ask.registerAgent({ ...(await prove(account, 'register')), agent_name: 'Scout' })
      const caller = asCaller(await resolveKey(answer.api_key))
      return { account, answer, caller }
    },
    signIn: async (account: PrivateKeyAccount = newWallet()) => {
      const answer = await ask.openSession(await prove(account, 'session'))
      return { account, answer, caller: asCaller(await resolveToken(answer.token)) }
    },
    restart: async (changed: Environment) => {
      await service.stop()
      service = await start({ ...environment, ...changed }, { clock })
      // A call that was on its way to the former process is lost with it, and would be waited for to its deadline.
      await eventually(() => ask.listSigningKeys({}, { deadline: Date.now() + 500 }).then(() => true))
    },
    close: async () => {
      await bus.close()
      await galleryBus.close()
      await miningBus.close()
      await mandatesBus.close()
      await legBus.close()
      await subscriptionsBus.close()
      await tradeBus.close()
      await service.stop()
      await mandatesService.stop()
      await stack.stop()
    },
  }
}

export type Harness = Awaited<ReturnType<typeof openHarness>>

/** A fresh key pair. */
export const newWallet = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey())

/** What identity resolved, in the form in which the gateway hands it on. */
export function asCaller(resolved: Resolved): Caller {
  if (resolved === null) throw new Error('the credential resolves to nobody')
  const { expires_at: _expiry, ...account } = resolved
  return { ...account, tier: 0 }
}

/** Awaits a declared refusal and gives its status and body. */
export async function refused(
  call: Promise<unknown>,
): Promise<{ status: number; code: string; pointers: string[]; body: Record<string, unknown> }> {
  try {
    await call
  } catch (error) {
    expect(error).toBeInstanceOf(RemoteRefusal)
    const { status, body } = error as RemoteRefusal
    return { status, code: body.code, pointers: (body.errors ?? []).map((one) => one.pointer), body }
  }
  throw new Error('the call was not refused')
}

/** An Idempotency-Key. */
export const newIdempotencyKey = (): string => randomBytes(12).toString('hex')

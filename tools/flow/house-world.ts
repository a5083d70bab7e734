import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { prepare, waitForReceipt } from '@svc/chain'
import { contracts } from '@svc/contracts/all'
import { freePort, rpc } from '@svc/servers'
import { eventually } from '@svc/testing'
import { createWalletClient, http, toHex, type Hex, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import type { LocalChain } from '../dev/chain.ts'
import { grantTransactions, openAgent, openOwner, type Owner } from '../dev/history/onboarding.ts'
import { travellingClock, travelTogether } from '../dev/history/travelling-clock.ts'
import type { LegVenue } from '../dev/leg-venue.ts'
import { NO_LIMITS } from '../dev/no-limits.ts'
import { preparePlatform, type Prepared } from '../dev/platform.ts'
import { startInProcess } from '../dev/services.ts'
import { ONE_VENUE } from '../dev/venues.ts'
import { ask, untilServed, type Answer, type Ask } from './client.ts'
import { newDataFolder } from './data-folder.ts'
import type { Agent } from './people.ts'
import { ticksOf } from './worker-ticks.ts'

const SOON = { everyMs: 100 }
/** The services live so long ago at first, and can be set forward by it. */
const PAST_MS = 6 * 86_400_000
const GAS_MONEY = toHex(10n ** 18n)
const DEPOSIT = 400
/** The venue knows an account that has money; its own stays foreign to the mandate. */
const OWN = 100

const SETTINGS = {
  ...NO_LIMITS,
  HUB_DOOR_ENABLED: '1',
  HUB_STOP_LINE_SEC: '1',
  HUB_LEG_MOVER_SEC: '1',
  HUB_LEG_RECONCILE_SEC: '1',
  HUB_KEEPER_MARK_SEC: '1',
  SVC_LOG_LEVEL: 'silent',
}

/** A platform with a venue of legs and a house runner, whose time can be set forward. */
export interface HouseWorld {
  readonly url: string
  readonly platform: Prepared
  readonly chain: LocalChain
  readonly venue: LegVenue
  /** The agent of the house that follows signals. */
  readonly runner: Agent
  /** Signs the admin in, who owns the agents of the house. */
  signAdminIn(): Promise<Owner>
  /** Registers an agent of the house whose key may transact. */
  newAgent(name: string): Promise<Agent>
  now(): Date
  /** Sets the clocks of chain, venue and services forward. */
  travelTo(time: Date): Promise<void>
  /** Waits for a run of a job that has begun after this call. */
  aRunOf(worker: string): Promise<void>
  /** Asks as whoever has the key or the token; the answer must be good. */
  good(path: string, asked: Ask): Promise<Answer['body']>
  stop(): Promise<void>
}

export async function startHouseWorld(): Promise<HouseWorld> {
  const dataDir = newDataFolder('house')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const chainSince = new Date(Math.floor((Date.now() - PAST_MS) / 1000) * 1000)
  const prepared = { dataDir, publicUrl: url, durable: false, chain: true, chainSince, leg: true, venues: ONE_VENUE }
  const platform = await preparePlatform(prepared)
  const { chain, legVenue: venue, house } = platform
  if (chain === null || venue === null) throw new Error('the world has no chain or no venue')
  const head = (await rpc(chain.url, 'eth_getBlockByNumber', ['latest', false])) as { timestamp: Hex }
  const time = travellingClock(new Date(Number(head.timestamp) * 1000))
  const setVenue = () => void venue.control('time', { skew_ms: time.now().getTime() - Date.now() })
  setVenue()
  const overridesOf = () => ({ clock: time.clock })
  const settings = { ...SETTINGS, SVC_PORT: String(port), SVC_GATEWAY_URL: url }
  const others = contracts.map(({ name }) => name).filter((name) => name !== 'gallery')
  const running = await startInProcess(platform, () => settings, { services: others, overridesOf })
  const signAdminIn = () => openOwner(url, house.admin)
  const newAgent = async (name: string): Promise<Agent> => {
    const admin = await signAdminIn()
    const agent = await openAgent(url, { name }, newWallet(), admin)
    await grantTransactions(url, agent, admin)
    return agent
  }
  const runner = await newAgent('House runner')
  const follows = {
    HUB_HOUSE_RUNNER_USER_ID: String(runner.id),
    HUB_HOUSE_RUNNER_KEY: runner.key,
    HUB_HOUSE_FOLLOW_DRY_RUN: '0',
  }
  const gallery = await startInProcess(platform, () => ({ ...settings, ...follows }), {
    services: ['gallery'],
    overridesOf,
  })
  // Markets of the leg are planned until mandates has their first list.
  await eventually(async () => {
    const { body } = await ask(url, '/hub/markets', { key: runner.key })
    expect(body.items).toContainEqual(expect.objectContaining({ market_id: 'hl:ETH', status: 'paper' }))
  }, SOON)
  return {
    url,
    platform,
    chain,
    venue,
    runner,
    signAdminIn,
    newAgent,
    now: time.now,
    travelTo: async (to) => {
      const travelled = async (when: Date) => {
        await rpc(chain.url, 'evm_setTime', [Math.floor(when.getTime() / 1000)])
        await rpc(chain.url, 'evm_mine')
      }
      await travelTogether({ travelTo: travelled }, time, to)
      setVenue()
    },
    aRunOf: async (worker) => {
      const ticks = () => ticksOf(running.internalPorts.get('gateway'), worker)
      const before = await ticks()
      await eventually(async () => expect(await ticks()).toBeGreaterThanOrEqual(before + 2), SOON)
    },
    good: async (path, asked) => {
      const once = asked.body === undefined ? {} : { idempotencyKey: randomUUID() }
      // The venue may answer too late for the first one.
      return untilServed(async () => {
        const { status, body } = await ask(url, path, { ...once, ...asked })
        expect(status, `${path}: ${JSON.stringify(body)}`).toBeLessThan(300)
        return body
      })
    },
    stop: async () => {
      await gallery.stop()
      await running.stop()
      await platform.servers.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const newWallet = () => privateKeyToAccount(generatePrivateKey())

/** Sends a transaction that must succeed; returns its hash. */
export async function send(
  { chain }: Pick<HouseWorld, 'chain'>,
  account: LocalAccount,
  { to, data }: { readonly to: string; readonly data: string },
): Promise<Hex> {
  const client = createWalletClient({ account, transport: http(chain.url) })
  const call = { to: to as Hex, data: data as Hex }
  const hash = await client.sendTransaction({ chain: null, gas: 3_000_000n, ...call })
  const receipt = await waitForReceipt(chain.chain, hash)
  expect(receipt.status).toBe('success')
  return hash
}

/** A mandate whose money is in the account of its owner. */
export interface Leg {
  readonly publicId: string
  readonly wallet: LocalAccount
  readonly vault: string
  /** Address of the mandate in the API. */
  readonly at: string
  asOwner(path: string, asked?: Ask): Promise<Answer['body']>
  /** Signed size of its position in ETH, as the venue tells it. */
  position(): Promise<number>
  /** Number of orders that closed something of it, as the venue tells it. */
  closes(): Promise<number>
  /** What the venue says that the account is worth, USDC. */
  value(): Promise<number>
}

/** Opens a mandate of a new owner, binds its leg, and waits until 400 USDC are in the account. */
export async function openLeg(
  world: HouseWorld,
  limits: { readonly agent: Agent; readonly endsAt: Date; readonly silentMinutes?: number },
): Promise<Leg & { readonly owner: Owner }> {
  const { url, chain, venue } = world
  const wallet = newWallet()
  await rpc(chain.url, 'anvil_setBalance', [wallet.address, GAS_MONEY])
  await send(world, wallet, prepare(chain.chain.id).usdc(chain.deployment.contracts.usdc.address).faucet())
  venue.control('fund', { address: wallet.address, amount: String(OWN) })
  let owner = await openOwner(url, wallet)
  const asOwner = async (path: string, asked: Ask = {}): Promise<Answer['body']> => {
    // A session of before a journey has ended.
    if ((await ask(url, '/hub/agents/me', { token: owner.token })).status === 401) owner = await openOwner(url, wallet)
    return world.good(path, { token: owner.token, ...asked })
  }
  const { mandate } = await asOwner('/hub/mandates', {
    body: {
      name: 'Leg',
      budget_usdc: '500',
      per_tx_cap_usdc: '150',
      daily_cap_usdc: '500',
      stop_line_usdc: '100',
      approval_above_usdc: null,
      markets: ['hl:ETH'],
      hl_leg: true,
      ends_at: new Date(Math.ceil(limits.endsAt.getTime() / 1000) * 1000).toISOString(),
      fee_bps: 1_000,
      agent_id: limits.agent.id,
      close_if_silent_minutes: limits.silentMinutes ?? null,
    },
  })
  const at = `/hub/mandates/${mandate.public_id}`
  const { typed_data, terms_hash } = await asOwner(`${at}/terms`)
  await asOwner(`${at}/sign`, { body: { signature: await wallet.signTypedData(typed_data), terms_hash } })
  const created = await send(world, wallet, (await asOwner(`${at}/create-call`)).call)
  const { vault } = await asOwner(`${at}/vault`, { body: { tx_hash: created } })
  const { calls } = await asOwner(`${at}/fund?amount_usdc=${DEPOSIT}`)
  await send(world, wallet, calls.approve)
  await send(world, wallet, calls.deposit)
  await eventually(async () => expect((await asOwner(at)).state).toBe('working'), SOON)
  const leg = { publicId: mandate.public_id, wallet, vault, at, asOwner }
  await bind(leg)
  await eventually(async () => {
    const money = await asOwner(`${at}/money`)
    expect(money).toMatchObject({ vault_usdc: '0', venue_estimate_usdc: String(DEPOSIT), moving: [] })
  }, SOON)
  const account = () => info<Account>(venue, { type: 'clearinghouseState', user: wallet.address })
  return {
    ...leg,
    owner,
    position: async () => {
      const { assetPositions } = await account()
      return Number(assetPositions.find(({ position }) => position.coin === 'ETH')?.position.szi ?? 0)
    },
    closes: async () => {
      const fills = await info<readonly Fill[]>(venue, { type: 'userFills', user: wallet.address })
      return new Set(fills.filter(({ dir }) => dir.startsWith('Close')).map(({ oid }) => oid)).size
    },
    value: async () => Number((await account()).marginSummary.accountValue),
  }
}

/** Has the owner approve a key of the leg, and binds it. */
export async function bind({ asOwner, at, wallet }: Pick<Leg, 'asOwner' | 'at' | 'wallet'>): Promise<void> {
  const approval = await asOwner(`${at}/hl-leg/approve-call`)
  const signature = await wallet.signTypedData(approval.typed_data)
  const { leg } = await asOwner(`${at}/hl-leg/bind`, { body: { signature, nonce: approval.nonce } })
  expect(leg.state).toBe('bound')
}

interface Account {
  readonly marginSummary: { readonly accountValue: string }
  readonly assetPositions: readonly { readonly position: { readonly coin: string; readonly szi: string } }[]
}

interface Fill {
  readonly oid: number
  readonly dir: string
}

/** Asks the venue a question. */
async function info<T>({ url }: LegVenue, question: object): Promise<T> {
  const headers = { 'content-type': 'application/json' }
  return (await (await fetch(`${url}/info`, { method: 'POST', headers, body: JSON.stringify(question) })).json()) as T
}

import { ok, type Caller, type Contract } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import type { AgentPolicy } from '@svc/contracts/identity/policy'
import { identity } from '@svc/contracts/identity'
import { mandates } from '@svc/contracts/mandates'
import { openPool, type Pool } from '@svc/postgres'
import {
  clientOf,
  openLog,
  Outage,
  type AnyHandler,
  type Bus,
  type CallOptions,
  type RunningService,
} from '@svc/service'
import { eventually, FakeClock, testStack, type TestStack, startPeer } from '@svc/testing'
import type { Hex, LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { start } from '#main.ts'
import { startChainPeer, CONFIRMATIONS, type ChainPeer, type TestChain } from '../chain-peer.ts'

/** A wallet of the tests, funded on the test chain. */
export const walletOf = (n: number): LocalAccount => privateKeyToAccount(`0x${n.toString(16).padStart(64, '0')}`)

const caller = (
  account_id: number,
  kind: Caller['kind'],
  wallet: string | null,
  roles: Caller['roles'] = [],
): Caller => ({
  account_id,
  kind,
  wallet,
  roles,
  scopes: ['read', 'write'],
  tier: 0,
  key_id: null,
  session_id: null,
})
/** Owners have odd wallets, agents even ones. */
export const owner = (id: number): Caller => caller(id, 'owner', walletOf(2 * id + 1).address)
export const ownerWallet = (id: number): LocalAccount => walletOf(2 * id + 1)
export const agent = (id: number): Caller => caller(id, 'agent', walletOf(2 * id).address)
export const agentWallet = (id: number): LocalAccount => walletOf(2 * id)
export const keeperCaller: Caller = caller(0, 'service', null, ['keeper'])

const openPolicy: AgentPolicy = {
  accepts_mandates: true,
  max_open_mandates: null,
  max_budget_usdc: null,
  per_tx_cap_usdc: null,
  daily_cap_usdc: null,
  allowed_markets: null,
  approval_above_usdc: null,
  daily_cherry_budget: null,
}

/** What the neighbours know; tests change it. */
export interface World {
  /** Policies that differ from one that accepts everything, by agent. */
  readonly policies: Map<number, Partial<AgentPolicy>>
  /** Wallets that differ from the agent's usual one. */
  readonly wallets: Map<number, string>
  /** Agents that are there no more. */
  readonly gone: Set<number>
  identityIsAway: boolean
}

type Client = ReturnType<typeof clientOf<typeof mandates extends Contract<infer P> ? P : never>>

export interface LifeRig {
  readonly world: World
  readonly clock: FakeClock
  readonly pool: Pool
  readonly stack: TestStack
  readonly chain: TestChain | null
  readonly peer: ChainPeer | null
  as(caller: Caller | null, options?: CallOptions): Client
  /** Starts the service again with other settings. */
  restart(environment: Record<string, string>): Promise<void>
  stop(): Promise<void>
}

/** Agents above this id do not exist. */
export const AGENT_MAX = 9_000

/** mandates over real NATS and Postgres, with its neighbours; over a real chain with the contracts where asked. */
export async function startLifeRig(
  options: { chain?: TestChain; environment?: Record<string, string> } = {},
): Promise<LifeRig> {
  const stack = await testStack(contracts, ['mandates'])
  const world: World = { policies: new Map(), wallets: new Map(), gone: new Set(), identityIsAway: false }
  const identityService = await startIdentity(stack, world)
  const { chain = null } = options
  const peer = chain === null ? null : await startChainPeer(stack, chain)
  const clock = new FakeClock(new Date(chain === null ? '2026-11-21T10:00:00.000Z' : (await chain.anvil.now()) * 1000))
  const startMandates = (environment: Record<string, string> = {}): Promise<RunningService> =>
    start(
      stack.environmentOf('mandates', {
        HUB_CONFIRMATIONS: String(CONFIRMATIONS),
        ...(chain === null ? {} : placeSettings(chain)),
        ...environment,
      }),
      { clock, log: openLog('mandates', 'silent') },
    )
  let service = await startMandates(options.environment)
  const bus = await stack.nats.connect('gateway')
  const pool = await openPool(stack.databaseOf('mandates').url)
  return {
    world,
    clock,
    pool,
    stack,
    chain,
    peer,
    as: (who, given = {}) => asking(bus, who, given),
    restart: async (environment) => {
      await service.stop()
      service = await startMandates(environment)
      // The old one may still be handed a request for a moment.
      await eventually(() => asking(bus, null, { deadline: Date.now() + 500 }).listMarkets({}))
    },
    stop: async () => {
      await bus.close()
      await service.stop()
      await peer?.stop()
      await identityService.stop()
      await pool.end()
      await stack.stop()
    },
  }
}

/** Settings that name the contracts of a test chain. */
export const placeSettings = ({ anvil, deployment: { contracts: at } }: TestChain): Record<string, string> => ({
  HUB_CHAIN_ID: String(anvil.chainId),
  HUB_MANDATE_FACTORY_ADDRESS: at.factory.address,
  HUB_MANDATE_FACTORY_V2_ADDRESS: at.factory_v2.address,
  HUB_TEST_LEG_GATEWAY: at.leg_gateway.address,
  HUB_USDC_ADDRESS: at.usdc.address,
  HUB_TEST_VENUE_TARGETS: at.venue.address,
})

const asking = (bus: Bus, who: Caller | null, given: CallOptions): Client =>
  clientOf(bus, 'gateway', mandates, { ...given, ...(who === null ? {} : { caller: who }) })

function startIdentity(stack: TestStack, world: World): Promise<RunningService> {
  const readAgents: AnyHandler = async ({ agent_ids }: { agent_ids: number[] }) => {
    if (world.identityIsAway) throw new Outage('test', 'identity is away')
    const agents = agent_ids.map((agent_id) =>
      agent_id > AGENT_MAX || world.gone.has(agent_id)
        ? null
        : {
            agent_id,
            name: `agent ${agent_id}`,
            wallet: world.wallets.get(agent_id) ?? agentWallet(agent_id).address,
            owner: null,
            policy: { ...openPolicy, ...world.policies.get(agent_id) },
            access_ends_at: null,
            last_seen_at: '2026-11-21T09:59:00.000Z',
            channel: 'mcp',
          },
    )
    return ok(200, { agents })
  }
  return startPeer(stack, identity, { answers: { readAgents } })
}

/** A body that passes every rule at the clock of a rig. */
export const bodyAt = ({ clock }: Pick<LifeRig, 'clock'>, changed: Record<string, unknown> = {}) => ({
  name: 'Weekend basis',
  budget_usdc: '500',
  per_tx_cap_usdc: '50',
  daily_cap_usdc: '150',
  stop_line_usdc: '100',
  approval_above_usdc: '40' as string | null,
  markets: ['testvenue'],
  ends_at: new Date(Math.floor(clock.now().getTime() / 1000) * 1000 + 10 * 86_400_000).toISOString(),
  fee_bps: 1000,
  ...changed,
})

export type { Hex }

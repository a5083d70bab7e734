import type { Caller } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { mining } from '@svc/contracts/mining'
import { openPool, type Pool } from '@svc/postgres'
import { clientOf, openLog, type Bus, type CallOptions, type Job, type RunningService } from '@svc/service'
import { FakeClock, testStack, type TestStack } from '@svc/testing'
import type { Context } from '../src/context.ts'
import { publicPolicy } from '@svc/service/public-web'
import { jobs } from '../src/jobs.ts'
import { start } from '../src/main.ts'
import { startPeers, type World } from './peers.ts'

const account = (account_id: number, kind: 'agent' | 'owner', roles: Caller['roles'] = []): Caller => ({
  account_id,
  kind,
  wallet: `0x${account_id.toString(16).padStart(40, '0')}`,
  roles,
  scopes: ['read', 'write'],
  tier: 0,
  key_id: null,
  session_id: null,
})

export const agent = (id: number) => account(id, 'agent')
export const reviewer = (id: number) => account(id, 'owner', ['reviewer'])
export const admin = (id: number) => account(id, 'owner', ['admin'])

/** Evidence must not leave the machine in tests: every host is unknown. */
const nowhere = {
  ...publicPolicy({ timeoutMs: 500, maxBytes: 10_000 }),
  resolve: () => Promise.reject(new Error('no network')),
}

export interface Rig {
  readonly world: World
  readonly clock: FakeClock
  readonly pool: Pool
  readonly context: Context
  readonly stack: TestStack
  /** mining as the gateway asks it. */
  as(caller: Caller | null, options?: CallOptions): ReturnType<typeof clientOf<never>> & Client
  runJob(name: keyof typeof mining.jobs): Promise<void>
  stop(): Promise<void>
}
type Client = {
  readonly [K in keyof typeof mining.operations]: (
    input: Parameters<GatewayClient[K]>[0],
  ) => ReturnType<GatewayClient[K]>
}
type GatewayClient = ReturnType<typeof miningClient>
const miningClient = (bus: Bus) => clientOf(bus, 'gateway', mining)

/** mining with real NATS and Postgres, its neighbours, and a clock that tests move. */
export async function startRig(startAt = '2026-11-21T10:00:00.000Z'): Promise<Rig> {
  const stack = await testStack(contracts, ['mining'])
  const world: World = { related: new Map(), booked: [], paidReads: [] }
  const clock = new FakeClock(startAt)
  const peers = await startPeers(stack, world)
  const service: RunningService = await start(stack.environmentOf('mining'), {
    clock,
    log: openLog('mining', 'silent'),
    fetchPolicy: nowhere,
  })
  const bus = await stack.nats.connect('gateway')
  const pool = await openPool(stack.databaseOf('mining').url)
  const client = miningClient(bus)
  const context = {
    pool,
    clock,
    log: openLog('mining', 'silent'),
    dailyLimit: 500,
    fetchPolicy: nowhere,
  } as unknown as Context
  const as = (caller: Caller | null, options: CallOptions = {}) =>
    Object.fromEntries(
      Object.entries(client).map(([key, call]) => [
        key,
        (input: never) =>
          (call as (input: never, options: CallOptions) => Promise<unknown>)(input, {
            ...options,
            ...(caller === null ? {} : { caller }),
          }),
      ]),
    ) as unknown as ReturnType<Rig['as']>
  return {
    world,
    clock,
    pool,
    context,
    stack,
    as,
    runJob: async (name) => {
      const job = jobs[name]?.(context) as Job
      await job(AbortSignal.timeout(600_000))
    },
    stop: async () => {
      await bus.close()
      await service.stop()
      await Promise.all(peers.map((peer) => peer.stop()))
      await pool.end()
      await stack.stop()
    },
  }
}

export const entry = (field_name: string, field_value: string) => ({
  field_name,
  field_value,
  evidence_url: 'https://www.example.org/proof',
})
export const text = (field_name: string, tag: string | number) => entry(field_name, `value ${tag}`)

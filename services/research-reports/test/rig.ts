import type { Caller, Environment } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { researchReports } from '@svc/contracts/research-reports'
import { openPool, type Pool } from '@svc/postgres'
import { clientOf, openFiles, openLog, type Bus, type CallOptions, type Files, type RunningService } from '@svc/service'
import { FakeClock, testStack, type TestStack } from '@svc/testing'
import type { Context } from '../src/context.ts'
import { jobs } from '../src/jobs.ts'
import { start } from '../src/main.ts'
import { openReportRenderer } from '#reports/pdf/renderer.ts'
import { startAccounts, startChainIndexer, startMarketData, type World } from './peers.ts'

/** An account of the given tier, as the gateway names it. */
export const account = (account_id: number, tier: Caller['tier'] = 1): Caller => ({
  account_id,
  kind: 'agent',
  wallet: null,
  roles: [],
  scopes: ['read', 'write'],
  tier,
  key_id: null,
  session_id: null,
})

const gatewayClient = (bus: Bus) => clientOf(bus, 'gateway', researchReports)
type GatewayClient = ReturnType<typeof gatewayClient>
type Client = {
  readonly [K in keyof GatewayClient]: (input: Parameters<GatewayClient[K]>[0]) => ReturnType<GatewayClient[K]>
}

export interface Rig {
  readonly stack: TestStack
  readonly world: World
  readonly clock: FakeClock
  readonly pool: Pool
  /** What the jobs are run with; the service runs its own too. */
  readonly context: Context
  readonly files: Files
  /** research-reports as the gateway asks it. */
  as(caller: Caller, options?: CallOptions): Client
  /** research-reports as subscriptions asks it. */
  countReports(accountId: number): Promise<number>
  runJob(name: keyof typeof researchReports.jobs): Promise<number>
  /** Starts another instance. */
  startAnother(more?: Environment): Promise<RunningService>
  stop(): Promise<void>
}

/** research-reports over real NATS and Postgres, with a clock that tests move. */
export async function startRig({
  environment = {},
  startAt = '2026-11-21T08:38:00.000Z',
  alone = false,
}: {
  readonly environment?: Environment
  readonly startAt?: string
  /** No instance of the service in this process: the test starts its own. */
  readonly alone?: boolean
} = {}): Promise<Rig> {
  const stack = await testStack(contracts, ['research-reports'])
  const world: World = { histories: new Map(), asked: [], owners: new Map(), tiers: new Map(), chain: null }
  const clock = new FakeClock(startAt)
  const log = openLog('research-reports', 'silent')
  const peers = [
    await startMarketData(stack, world),
    await startChainIndexer(stack, world),
    ...(await startAccounts(stack, world)),
  ]
  const startAnother = (extra: Environment = {}) =>
    start(stack.environmentOf('research-reports', { ...environment, ...extra }), { clock, log })
  const service = alone ? null : await startAnother()
  const bus = await stack.nats.connect('gateway')
  const subscriptions = await stack.nats.connect('subscriptions')
  const own = await stack.nats.connect('research-reports')
  const pool = await openPool(stack.databaseOf('research-reports').url)
  const files = await openFiles(own, 'reports')
  const renderer = openReportRenderer()
  const context = { pool, clock, log, files, renderer, waitMs: 10_000 } as unknown as Context
  return {
    stack,
    world,
    clock,
    pool,
    context,
    files,
    startAnother,
    as: (caller, options = {}) => clientOf(bus, 'gateway', researchReports, { ...options, caller }),
    countReports: async (account_id) =>
      (await clientOf(subscriptions, 'subscriptions', researchReports).countReports({ account_id })).used,
    runJob: async (name) => (await jobs[name]?.(context)(AbortSignal.timeout(600_000)))?.done ?? 0,
    stop: async () => {
      await Promise.all([bus, subscriptions].map((one) => one.close()))
      await service?.stop()
      for (const peer of peers) await peer.stop()
      await own.close()
      await renderer.close()
      await pool.end()
      await stack.stop()
    },
  }
}

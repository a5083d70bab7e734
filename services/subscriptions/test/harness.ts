import { ok, type Caller, type Contract, type Environment } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { identity } from '@svc/contracts/identity'
import { CLOSED_POLICY } from '@svc/contracts/identity/policy'
import type { feedItemMade } from '@svc/contracts/subscriptions/feed-catalogue'
import { marketData } from '@svc/contracts/market-data'
import { mining } from '@svc/contracts/mining'
import { researchReports } from '@svc/contracts/research-reports'
import { subscriptions } from '@svc/contracts/subscriptions'
import { emit, openPool, type Tx } from '@svc/postgres'
import {
  clientOf,
  listenForEvents,
  openLog,
  Outage,
  RemoteRefusal,
  type AnyHandler,
  type CallOptions,
} from '@svc/service'
import { publicPolicy, type PublicPolicy } from '@svc/service/public-web'
import { documentSigner, eventually, FakeClock, testStack, startPeer } from '@svc/testing'
import { expect } from 'vitest'
import type { z } from 'zod'
import { jobs } from '../src/jobs.ts'
import { start } from '../src/main.ts'
import { openSecretBox } from '#webhooks/secret-box.ts'
import { moveCherry } from '#ledger/move-cherry.ts'

export const START = '2026-11-21T09:00:00.000Z'
export const DAY = 86_400_000
/** No account has this id. */
export const NOBODY = 999_999_999

let lastId = 1000
/** Accounts that are owners; all others are agents. */
const owners = new Set<number>()
const caller = (kind: 'agent' | 'owner', roles: Caller['roles'] = []): Caller => {
  lastId += 1
  return {
    account_id: lastId,
    kind,
    wallet: `0x${lastId.toString(16).padStart(40, '0')}`,
    roles,
    scopes: ['read', 'write'],
    tier: 0,
    key_id: null,
    session_id: null,
  }
}
export const newAgent = (): Caller => caller('agent')
export const newOwner = (): Caller => {
  const owner = caller('owner')
  owners.add(owner.account_id)
  return owner
}
export const admin = caller('owner', ['admin'])

/** Subscriptions over real servers, with neighbours that say what a test has them say. */
export async function openHarness(webhooks: { readonly key: string; readonly policy: PublicPolicy } | null = null) {
  const stack = await testStack(contracts, ['subscriptions'])
  const clock = new FakeClock(START)
  const neighbours = [identity, mining, marketData] as unknown as Contract[]
  const getAccounts: AnyHandler = async (input: { account_ids: number[] }) =>
    ok(200, {
      accounts: input.account_ids.map((account_id) =>
        account_id === NOBODY
          ? null
          : { account_id, kind: 'agent', wallet: `0x${'0'.repeat(40)}`, name: null, created_at: START },
      ),
    })
  /** Owners by agent, and whether each may spend. */
  const pairings = new Map<number, { readonly owner_id: number; readonly maySpend: boolean }>()
  const ownerOf = (id: number) => {
    const owner_id = pairings.get(id)?.owner_id
    return owner_id === undefined ? null : { owner_id, wallet: `0x${'0'.repeat(40)}` }
  }
  /** Daily Cherry budgets by agent. */
  const budgets = new Map<number, number>()
  const isOwner = (id: number) => owners.has(id)
  const readAgents: AnyHandler = async (input: { agent_ids: number[] }) =>
    ok(200, {
      agents: input.agent_ids.map((agent_id) =>
        isOwner(agent_id)
          ? null
          : {
              agent_id,
              name: 'Scout',
              wallet: `0x${'0'.repeat(40)}`,
              owner: ownerOf(agent_id),
              owner_may_spend: pairings.get(agent_id)?.maySpend ?? false,
              policy: { ...CLOSED_POLICY, daily_cherry_budget: budgets.get(agent_id) ?? null },
              access_ends_at: null,
              last_seen_at: null,
              channel: null,
            },
      ),
    })
  /** Parties of more than one account, by account. */
  const parties = new Map<number, readonly number[]>()
  const relatedAccounts: AnyHandler = async ({ account_id }: { account_id: number }) =>
    ok(200, { account_ids: [...(parties.get(account_id) ?? [account_id])] })
  const targetsUsed = new Map<number, number>()
  const countTargets: AnyHandler = async (input: { account_id: number }) => {
    const active = targetsUsed.get(input.account_id)
    if (active === undefined) throw new Outage('market-data', 'silent')
    return ok(200, { active })
  }
  const reportsUsed = new Map<number, number>()
  const countReports: AnyHandler = async (input: { account_id: number }) => {
    const used = reportsUsed.get(input.account_id)
    if (used === undefined) throw new Outage('research-reports', 'silent')
    return ok(200, { used })
  }
  const signer = documentSigner('balance-root+json')
  const signBalanceRoot: AnyHandler = async (root: object) => ok(200, { jws: signer.sign(root) })
  const asContracts = (...all: readonly object[]) => all as Contract[]
  const peers = await Promise.all([
    startPeer(stack, researchReports, { answers: { countReports } }),
    startPeer(stack, identity, { answers: { getAccounts, readAgents, relatedAccounts, signBalanceRoot }, emits: true }),
    startPeer(stack, mining, { emits: true, hears: asContracts(subscriptions) }),
    startPeer(stack, marketData, { answers: { countTargets }, emits: true, hears: asContracts(subscriptions, mining) }),
  ])
  const environment = stack.environmentOf('subscriptions', {
    SVC_POSTGRES_POOL: '16',
    HUB_BUDGET_ENFORCE: '1',
    // The clock of tests wakes its job too; only tests publish roots.
    SVC_BALANCE_ROOT_DRY_RUN: '1',
    ...(webhooks === null ? {} : { SVC_WEBHOOK_KEY: webhooks.key }),
  })
  const overrides = { clock, webhookPolicy: webhooks?.policy ?? publicPolicy({ timeoutMs: 1_000, maxBytes: 1_000 }) }
  let service = await start(environment, overrides)
  const [gatewayBus, miningBus] = [await stack.nats.connect('gateway'), await stack.nats.connect('mining')]
  const galleryBus = await stack.nats.connect('gallery')
  const pool = await openPool(environment['SVC_POSTGRES_URL'] ?? '', { size: 16 })
  const [identityPool, miningPool, marketPool] = await Promise.all(
    neighbours.map((one) => openPool(stack.databaseOf(one.name).url)),
  )
  if (identityPool === undefined || miningPool === undefined || marketPool === undefined)
    throw new Error('neighbours have a schema')
  const events: { readonly name: string; readonly payload: Record<string, unknown> }[] = []
  listenForEvents(gatewayBus.connection, 'evt.subscriptions.>', openLog('test', 'silent'), (payload, name) => {
    events.push({ name, payload })
  })
  await gatewayBus.connection.flush()
  const ask = clientOf(gatewayBus, 'gateway', subscriptions)
  const context = {
    pool,
    clock,
    log: openLog('subscriptions', 'silent'),
    settings: { budgetEnforce: true, balanceRootDryRun: false },
    webhooks: {
      policy: overrides.webhookPolicy,
      box: webhooks === null ? null : openSecretBox(webhooks.key, null),
    },
    signRoot: async (root: object) => signer.sign(root),
    payerOf: async (accountId: number) =>
      isOwner(accountId)
        ? { kind: 'owner' as const, dailyBudget: null }
        : { kind: 'agent' as const, dailyBudget: budgets.get(accountId) ?? null },
    pairingOf: async (agentId: number) => {
      const pairing = pairings.get(agentId)
      return pairing === undefined ? null : { ownerId: pairing.owner_id, ownerMaySpend: pairing.maySpend }
    },
    partyOf: async (accountId: number) => parties.get(accountId) ?? [accountId],
    kindOf: async () => 'agent' as const,
    targetsUsedBy: async () => null,
    reportsUsedBy: async () => null,
  }

  return {
    stack,
    /** Targets by account, as market-data knows them; it cannot say for others. */
    targetsUsed,
    budgets,
    pairings,
    parties,
    /** Context as the service has it, for its functions without the bus. */
    context,
    reportsUsed,
    signer,
    clock,
    pool,
    environment,
    ask,
    askAsMining: clientOf(miningBus, 'mining', subscriptions),
    askAsGallery: clientOf(galleryBus, 'gallery', subscriptions),
    as: (who: Caller, idempotencyKey?: string): CallOptions => ({
      caller: who,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    }),
    /** Has identity or mining publish a fact of theirs. */
    tell: {
      agentRegistered: (account_id: number) =>
        identityPool.transaction((tx) =>
          emit(tx, identity.events.agentRegistered, {
            account_id,
            wallet: `0x${'1'.repeat(40)}`,
            agent_name: 'Scout',
            registered_at: START,
          }),
        ),
      payoutReleased: (payload: { submission_id: string; account_id: number; cherry: number }) =>
        miningPool.transaction((tx) => emit(tx, mining.events.payoutReleased, { ...payload, pay_on: '2026-11-21' })),
    },
    /** Has market-data publish items of feeds. */
    tellFeed: (items: readonly z.output<typeof feedItemMade>[]) =>
      marketPool.transaction(async (tx) => {
        for (const item of items) await emit(tx, marketData.events.feedItemMade, item)
      }),
    grant: (accountId: number, amount: number) =>
      pool.transaction((tx: Tx) =>
        moveCherry(tx, {
          key: `test:${accountId}:${amount}:${Math.random()}`,
          kind: 'adjustment',
          accountId,
          amount,
          reference: 'test',
          at: clock.now(),
        }),
      ),
    runJob: async (name: keyof typeof jobs) => jobs[name](context)(AbortSignal.timeout(600_000)),
    /** Waits for an event with these members and gives all of them. */
    heard: (name: keyof typeof subscriptions.events, members: Record<string, unknown>) =>
      eventually(() => {
        const found = events.filter(
          (one) => one.name === name && Object.entries(members).every(([key, value]) => one.payload[key] === value),
        )
        return found.length === 0 ? false : found.map((one) => one.payload)
      }),
    /** Ends the process of the service and starts another one. */
    restart: async (more: Environment = {}) => {
      await service.stop()
      service = await start({ ...environment, ...more }, overrides)
    },
    close: async () => {
      await Promise.all([gatewayBus, miningBus, galleryBus].map((bus) => bus.close()))
      await service.stop()
      await Promise.all(peers.map((peer) => peer.stop()))
      await Promise.all([pool, identityPool, miningPool, marketPool].map((one) => one.end()))
      await stack.stop()
    },
  }
}

/** Status and body of the refusal that a call must end with. */
export async function refused(call: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await call
  } catch (error) {
    expect(error).toBeInstanceOf(RemoteRefusal)
    const { status, body } = error as RemoteRefusal
    return { status, ...body }
  }
  throw new Error('the call was not refused')
}

import { decodeEvent, inParallel, prepare, type RawLog } from '@svc/chain'
import type { Environment } from '@svc/contract'
import { freePort, rpc } from '@svc/servers'
import { isAddressEqual, type Address, type Hex } from 'viem'
import type { Agent } from '#flow/people.ts'
import type { LocalChain } from '../chain.ts'
import { NO_LIMITS } from '../no-limits.ts'
import type { House, Prepared } from '../platform.ts'
import { startInProcess } from '../services.ts'
import { openBatches, type Batches, type Mined } from './batches.ts'
import { openCaughtUp, type CaughtUp } from './caught-up.ts'
import { grantTransactions, openAgent, openOwner, signMandate, tightenPolicy, type Owner } from './onboarding.ts'
import { walletOf } from './people.ts'
import { historyPlan, type HistoryPlan, type HistorySize, type MandatePlan } from './plan.ts'
import { liveDay, setPrices, type HistoryVault } from './trading.ts'
import { travellingClock, travelTogether, type TravellingClock } from './travelling-clock.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Times of a day: when people act, and when it is marked for the last time. */
const MORNING_MS = 9 * HOUR_MS
const EVENING_MS = DAY_MS - 10 * 60_000
/**
 * What the clock goes forward by at some looks at the services, so that the workers of a second run; and by far more if they
 * need longer, so that a run that failed is repeated. More often would only let workers run without work.
 */
const STEP_MS = { soon: 1_100, late: 900_000 }
const STEP_EVERY = 8
const LATE_LOOK = 24
/**
 * How long before the present gallery learns of everything, and computes the Hall a last time, so that it is not stale at the
 * first request; its job runs every two minutes of the clock, which goes forward by a step at each look.
 */
const BEFORE_ARRIVAL_MS = { learns: 7_200_000, computes: 240_000 }
const HALL_STEP_MS = 4_000
/** Days that are told as one step of the start. */
const DAYS_OF_STEP = 4
const GAS_MONEY = 10n ** 18n
/** Mandates outlive the history by this, unless their plan says otherwise. */
const OUTLIVE_DAYS = 60

/** The services that a history needs. The others start afterwards, and events wait for them. */
const PLAYING = ['identity', 'subscriptions', 'chain-indexer', 'mandates', 'keeper', 'gateway']

/** A month passes in a minute: calls are not limited, vaults are marked at each jump of the clock, and no leg takes part. */
const SETTINGS: Environment = {
  ...NO_LIMITS,
  HUB_HL_LEG_ENABLED: '0',
  HUB_LEG_FUNDING: 'off',
  HUB_LEG_MOVER_DRY_RUN: '1',
  HUB_LEG_MOVER_SEC: '3600',
  HUB_LEG_RECONCILE_DRY_RUN: '1',
  HUB_LEG_RECONCILE_SEC: '3600',
  HUB_VAULT_EVENTS_SEC: '1',
  HUB_VAULT_POLL_SEC: '86400',
  HUB_VAULT_POLL_MAX: '5',
  HUB_POLL_SECONDS: '3600',
  HUB_KEEPER_MARK_SEC: '600',
  HUB_KEEPER_MARK_MIN_DELTA_BPS: '500',
  HUB_KEEPER_MARK_MAX_AGE_SEC: '604800',
  HUB_KEEPER_MARK_MAX: '1000',
  SVC_KEEPER_CROSSING_CONFIRM_SEC: '0',
  HUB_GAS_DRIP_ENABLED: '0',
  SVC_LOG_LEVEL: 'error',
}

/** The agent of the house that follows signals, with the key by which it orders. */
export interface Runner {
  readonly agentId: number
  readonly key: string
}

/** What remains of a history besides its chain and its rows. An owner is the index of its wallet. */
export interface History {
  readonly agents: readonly { readonly agentId: number; readonly name: string; readonly owner: number }[]
  readonly mandates: readonly { readonly publicId: string; readonly agent: number; readonly owner: number }[]
  readonly runner: Runner
}

/** Returns midnight UTC of the first day of a history that ends now. */
export const beginningOf = ({ days }: HistorySize, now: Date): Date =>
  new Date((Math.floor(now.getTime() / DAY_MS) - days) * DAY_MS)

/** A history while it is played. */
interface Stage {
  readonly url: string
  readonly plan: HistoryPlan
  readonly start: Date
  readonly seed: string
  readonly local: LocalChain
  readonly house: House
  readonly batches: Batches
  readonly clock: TravellingClock
  readonly services: CaughtUp
  readonly agents: Map<number, Agent>
  readonly vaults: HistoryVault[]
}

export interface PlayOptions {
  readonly size: HistorySize
  readonly onStep: (step: string) => void
  /** Called before each day and each part of the end: a hang is counted from there. */
  readonly onDay?: () => void
}

/**
 * Lets the agents of a plan live their days: the real services run on the past of the chain by a clock that goes from
 * morning to evening, and every transaction is on the chain. No row is written but by the services. The chain must have been
 * started at `beginningOf` the size. At the end clock and chain have the time of this machine.
 */
export async function playHistory(
  prepared: Prepared,
  { size, onStep, onDay = () => {} }: PlayOptions,
): Promise<History> {
  const { chain: local, house, servers } = prepared
  if (local === null) throw new Error('a history needs the local chain')
  const start = await blockTime(local.url, '0x0')
  const clock = travellingClock(await blockTime(local.url, 'latest'))
  const port = await freePort()
  onStep('services in the past')
  onDay()
  const settings = () => ({ ...SETTINGS, SVC_PORT: String(port) })
  const overridesOf = () => ({ clock: clock.clock })
  const running = await startInProcess(prepared, settings, { services: PLAYING, overridesOf })
  const database = new URL(servers.postgres.url)
  database.pathname = '/platform'
  const services = await openCaughtUp(database.href)
  try {
    const stage: Stage = {
      url: `http://127.0.0.1:${port}`,
      plan: historyPlan(size),
      start,
      seed: servers.secrets.password('history'),
      local,
      house,
      batches: openBatches(local.url, local.chain),
      clock,
      services,
      agents: new Map(),
      vaults: [],
    }
    await rpc(local.url, 'evm_setAutomine', [false])
    onDay()
    const runner = await openRunner(stage)
    for (let day = 0; day < size.days; day += 1) {
      if (day % DAYS_OF_STEP === 0) onStep(`history, from day ${day + 1}`)
      onDay()
      await playDay(stage, day)
    }
    onStep('the Hall')
    onDay()
    const hall = await startInProcess(prepared, settings, { services: ['gallery'], overridesOf })
    try {
      onDay()
      await computeHall(stage)
      onDay()
      await arrive(stage)
    } finally {
      await hall.stop()
    }
    return historyOf(stage, runner)
  } finally {
    await services.close()
    await running.stop()
  }
}

async function blockTime(url: string, number: Hex | 'latest'): Promise<Date> {
  const block = (await rpc(url, 'eth_getBlockByNumber', [number, false])) as { timestamp: Hex }
  return new Date(Number(block.timestamp) * 1000)
}

const at = ({ start }: Stage, day: number, ms: number) => new Date(start.getTime() + day * DAY_MS + ms)

const travel = ({ batches, clock }: Stage, time: Date) => travelTogether(batches, clock, time)

/**
 * Waits until the services have read and marked everything, also what keeper sends by what it reads. Meanwhile the clock goes on
 * faster, so that no worker waits for its next run, and what keeper sends is mined.
 */
async function settle({ services, batches, clock }: Stage, markedSince?: Date): Promise<void> {
  const reached = (head: number) =>
    services.until({ head, ...(markedSince && { markedSince }) }, async (look) => {
      const next = new Date(clock.now().getTime() + (look < LATE_LOOK ? STEP_MS.soon : STEP_MS.late))
      if (look % STEP_EVERY === 1 && next < new Date()) clock.travelTo(next)
      if ((await batches.waiting()) > 0) await batches.mine()
    })
  const { keeperSent } = await reached(batches.lastMined())
  if (keeperSent) await reached(await batches.newestBlock())
}

/** Registers the agent of the house that follows signals; the admin of the house owns it. */
async function openRunner({ url, seed, house }: Stage): Promise<Runner> {
  const owner = await openOwner(url, house.admin)
  const agent = await openAgent(url, { name: 'House runner' }, walletOf(seed, 'runner'), owner)
  await grantTransactions(url, agent, owner)
  return { agentId: agent.id, key: agent.key }
}

async function playDay(stage: Stage, day: number): Promise<void> {
  const { plan, local, batches, url, agents } = stage
  await travel(stage, at(stage, day, MORNING_MS))
  await setPrices(
    local,
    batches,
    plan.markets.map(({ name, prices }) => ({ name, price: prices[day] as bigint })),
  )
  const newcomers = plan.agents.flatMap((agent, index) => (agent.from === day ? [{ agent, index }] : []))
  const signing = plan.mandates.filter(({ from }) => from === day)
  const changing = plan.agents.flatMap(({ policyDay, owner }, index) => (policyDay === day ? [{ owner, index }] : []))
  const owners = await signedIn(stage, [
    ...newcomers.map(({ agent }) => agent.owner),
    ...signing.map(({ owner }) => owner),
    ...changing.map(({ owner }) => owner),
  ])
  for (const { agent, index } of newcomers)
    agents.set(index, await openAgent(url, agent, walletOf(stage.seed, 'agent', index), ownerOf(owners, agent.owner)))
  for (const { owner, index } of changing) await tightenPolicy(url, agentAt(stage, index).id, ownerOf(owners, owner))
  await openVaults(stage, signing, owners)
  await topUp(stage, day)
  await batches.mine()
  await inParallel(stage.vaults, (vault) => liveDay(local, batches, vault, day))
  await batches.mine()
  await settle(stage)
  await travel(stage, at(stage, day, EVENING_MS))
  await settle(stage, at(stage, day, EVENING_MS))
}

function ownerOf(owners: ReadonlyMap<number, Owner>, index: number): Owner {
  const owner = owners.get(index)
  if (owner === undefined) throw new Error(`owner ${index} is not signed in`)
  return owner
}

function agentAt({ agents }: Stage, index: number): Agent {
  const agent = agents.get(index)
  if (agent === undefined) throw new Error(`agent ${index} is not registered`)
  return agent
}

/** Signs owners in, each once. */
async function signedIn({ url, seed }: Stage, indices: readonly number[]): Promise<ReadonlyMap<number, Owner>> {
  const wanted = [...new Set(indices)]
  const owners = await inParallel(wanted, (index) => openOwner(url, walletOf(seed, 'owner', index)))
  return new Map(wanted.map((index, n) => [index, owners[n] as Owner]))
}

/** Signs mandates, and creates and funds their vaults. */
async function openVaults(
  stage: Stage,
  plans: readonly MandatePlan[],
  owners: ReadonlyMap<number, Owner>,
): Promise<void> {
  const { url, local, batches, vaults } = stage
  if (plans.length === 0) return
  const [sponsor] = local.wallets.demo
  const usdc = prepare(local.chain.id).usdc(local.deployment.contracts.usdc.address)
  const opened = await inParallel(plans, async (plan) => {
    const owner = ownerOf(owners, plan.owner)
    const agent = agentAt(stage, plan.agent)
    const endsAt = at(stage, plan.endsDay ?? stage.plan.size.days + OUTLIVE_DAYS, MORNING_MS)
    const signed = await signMandate(url, plan, { owner, agent, endsAt })
    for (const to of [owner.wallet.address, agent.wallet.address])
      await batches.send(sponsor, { to, data: '0x', value: GAS_MONEY })
    await batches.send(local.wallets.admin, usdc.mint({ to: owner.wallet.address, amount: plan.budget }))
    return { plan, owner, agent, signed }
  })
  await batches.mine()
  const creations = await inParallel(opened, async (one) => ({
    ...one,
    hash: await batches.send(one.owner.wallet, one.signed.creation),
  }))
  const mined = await batches.mine()
  for (const { plan, owner, agent, signed, hash } of creations) {
    const address = createdBy(mined.get(hash), signed.creation.to)
    vaults.push({ plan, publicId: signed.publicId, address, owner: owner.wallet, agent: agent.wallet })
  }
  await inParallel(vaults.slice(-creations.length), (vault) => pay(stage, vault, vault.plan.deposit))
}

/** Pays into a vault. */
async function pay({ local, batches }: Stage, { address, owner }: HistoryVault, amount: bigint): Promise<void> {
  const usdc = prepare(local.chain.id).usdc(local.deployment.contracts.usdc.address)
  await batches.send(owner, usdc.approve({ spender: address, value: amount }))
  await batches.send(owner, prepare(local.chain.id).vault(address).deposit({ amount }))
}

/** Pays in the rest of the budgets that grow on this day; a vault that is closed by then refuses it. */
async function topUp(stage: Stage, day: number): Promise<void> {
  const growing = stage.vaults.filter(({ plan }) => plan.topUpDay === day)
  await inParallel(growing, (vault) => pay(stage, vault, vault.plan.budget - vault.plan.deposit))
}

function createdBy(mined: Mined | undefined, factory: Address): Address {
  for (const log of mined?.logs ?? []) {
    const event = isAddressEqual(log.address, factory) ? decodeEvent('factory', log as unknown as RawLog) : null
    if (event?.name === 'VaultCreated') return event.args.vault
  }
  throw new Error(`transaction ${mined?.hash} created no vault`)
}

/** Lets gallery compute the Hall, with the house runner in it, shortly before the present, so that it can be read from the first request on. */
async function computeHall(stage: Stage): Promise<void> {
  const { services, batches, clock, plan } = stage
  for (const beforeMs of [BEFORE_ARRIVAL_MS.learns, BEFORE_ARRIVAL_MS.computes]) {
    await travel(stage, new Date(Date.now() - beforeMs))
    const inHall = { agents: plan.agents.length + 1, since: clock.now() }
    await services.until({ head: batches.lastMined(), inHall }, async () => {
      const next = new Date(clock.now().getTime() + HALL_STEP_MS)
      if (next < new Date()) clock.travelTo(next)
    })
  }
}

/** Brings chain and services to the present. */
async function arrive(stage: Stage): Promise<void> {
  const { local, batches, clock } = stage
  await batches.travelTo(new Date())
  clock.arrive()
  await rpc(local.url, 'evm_setAutomine', [true])
  await settle(stage)
}

function historyOf({ plan, agents, vaults }: Stage, runner: Runner): History {
  return {
    agents: [...agents]
      .toSorted(([one], [other]) => one - other)
      .flatMap(([index, { id }]) => {
        const planned = plan.agents[index]
        return planned === undefined ? [] : [{ agentId: id, name: planned.name, owner: planned.owner }]
      }),
    mandates: vaults.map(({ publicId, plan: { agent, owner } }) => ({ publicId, agent, owner })),
    runner,
  }
}

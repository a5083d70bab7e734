import { contracts } from '@svc/contracts/all'
import type { HallMandateView } from '@svc/contracts/gallery/hall'
import type { HallMandate } from '@svc/contracts/mandates/facts'
import { opened } from '@svc/testing'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { addressOf, agentOf, mandateId, mandateOf, playWorld, type World } from '../facts/world.ts'
import { startGalleryRig } from '../rig.ts'
import { luckOf, randomOf } from './histories.ts'

const AGENTS = 40
const EACH = 5
const HIDDEN = AGENTS * EACH
const OWNERS = 60
const UNTIL = '2026-11-23'
const rig = opened(() => startGalleryRig())
let world: World

/** A vault as anybody reads it on the chain. */
interface OnChain {
  readonly agentWallet: string
  readonly ownerWallet: string
  readonly amount: number
  readonly opened: string
  readonly trades: number
  /** Result of each day, oldest first. */
  readonly results: readonly number[]
}

/** What an attacker says of a hidden mandate: whose it is, and how much was paid in. */
interface Guess {
  readonly ownerWallet: string
  readonly amount: number
}
type Target = Guess & { readonly agentId: number; readonly name: string }

const ownerId = (n: number) => 800_000 + n
const walletOf = (agentId: number) => addressOf(1_000_000 + agentId)

/**
 * Seeds 200 mandates of 40 agents and 60 owners, with amounts from 30 to 5,000 USDC. `owners` says which account is behind an
 * owner, `scale` by how much all amounts of an agent are multiplied.
 */
function seed(owners: (n: number) => number, scale: (agentId: number) => number): readonly OnChain[] {
  const random = randomOf(17)
  const chain: OnChain[] = []
  world.agents.clear()
  world.mandates.clear()
  for (let agentId = 1; agentId <= AGENTS; agentId++) {
    world.agents.set(agentId, agentOf(agentId))
    const skill = luckOf(random, 0.01)
    for (let m = 0; m < EACH; m++) {
      const n = (agentId - 1) * EACH + m + 1
      const amount = Math.round(30 * (5_000 / 30) ** random()) * scale(agentId)
      const results = Array.from({ length: 12 + Math.floor(random() * 30) }, () => skill + luckOf(random))
      const trades = 1 + Math.floor(random() * 4)
      const who = owners(Math.floor(random() * OWNERS))
      const mandate = mandateOf(n, agentId, { results, until: UNTIL, paidIn: amount, owner_id: who })
      const days = mandate.days.map((day, at) => ({ ...day, trades: at === 0 ? 0 : trades }))
      const trades_total = trades * results.length
      world.mandates.set(mandateId(n), { ...mandate, days, trades_total } satisfies HallMandate)
      chain.push({
        agentWallet: walletOf(agentId),
        ownerWallet: addressOf(who),
        amount,
        opened: mandate.opened_at?.slice(0, 10) ?? '',
        trades: trades_total,
        results,
      })
    }
  }
  return chain
}

/** Answers of every public route of this service, for one seed. */
async function readEverything() {
  await rig.run('rebuildFacts')
  await rig.run('pullFacts')
  await rig.run('rebuildFacts')
  await rig.run('pullFacts')
  await rig.run('hallSnapshot')
  const as = rig.as(null)
  const pages = []
  for (const window of ['7d', '30d', '90d', 'all'] as const)
    for (const sort of ['days_live', 'worth_change', 'adherence', 'trades', 'drawdown'] as const)
      pages.push(await as.readHall({ window, sort, limit: 100 }))
  const agents = []
  for (const agent_id of world.agents.keys()) agents.push(await as.readHallAgent({ agent_id }))
  return { pages, agents, proof: await as.readHallProof({}) }
}
type Everything = Awaited<ReturnType<typeof readEverything>>

/** The hidden mandates as the pages name them, with the truth. A page names them from the oldest on. */
function targetsOf(
  { agents }: Everything,
  chain: readonly OnChain[],
): readonly (Target & { readonly view: HallMandateView })[] {
  return agents.flatMap(({ agent_id: agentId, mandates }) => {
    const own = chain
      .filter(({ agentWallet }) => agentWallet === walletOf(agentId))
      .map((vault, at) => ({ vault, at }))
      .toSorted((a, b) => (a.vault.opened === b.vault.opened ? a.at - b.at : a.vault.opened < b.vault.opened ? -1 : 1))
    return mandates.map((view) => {
      const found = own[Number(view.mandate.slice(1)) - 1]
      if (found === undefined) throw new Error('a page has a mandate that was not seeded')
      return { agentId, name: view.mandate, view, ownerWallet: found.vault.ownerWallet, amount: found.vault.amount }
    })
  })
}

const hits = (targets: readonly Target[], guess: (target: Target, at: number) => Guess | null) => {
  const right = targets.map((target, at) => {
    const said = guess(target, at)
    return {
      owner: said?.ownerWallet === target.ownerWallet,
      amount: said !== null && Math.abs(said.amount / target.amount - 1) <= 0.1,
    }
  })
  return { owners: right.filter(({ owner }) => owner).length, amounts: right.filter(({ amount }) => amount).length }
}
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

let chain: readonly OnChain[]
let seen: Everything
let targets: ReturnType<typeof targetsOf>
beforeAll(async () => {
  world = playWorld(rig)
  chain = seed(ownerId, () => 1)
  seen = await readEverything()
  targets = targetsOf(seen, chain)
})

/** Every number that an answer has of a mandate, by its path. */
function numbersIn(value: unknown, path = ''): readonly (readonly [string, number])[] {
  if (typeof value === 'number') return [[path, value]]
  if (Array.isArray(value))
    return [[`${path}#`, value.length], ...value.slice(0, 40).flatMap((one, at) => numbersIn(one, `${path}[${at}]`))]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => numbersIn(one, `${path}.${name}`))
}

const ranked = (values: readonly number[]) => {
  const order = [...values.keys()].toSorted((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  return order.reduce<number[]>(
    (ranks, at, rank) => ranks.with(at, rank),
    Array.from(values, () => 0),
  )
}
function correlation(one: readonly number[], other: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [a, b] = [ranked(one), ranked(other)]
  const [meanA, meanB] = [mean(a), mean(b)]
  const products = a.map((value, at) => [
    (value - meanA) * ((b[at] ?? 0) - meanB),
    (value - meanA) ** 2,
    ((b[at] ?? 0) - meanB) ** 2,
  ])
  const [ab = 0, aa = 0, bb = 0] = [0, 1, 2].map((n) => products.reduce((sum, product) => sum + (product[n] ?? 0), 0))
  return ab / Math.sqrt(aa * bb)
}

test('all public routes of the Hall answer the same bytes whoever owns the vaults and however large they are', async () => {
  expect(targets).toHaveLength(HIDDEN)
  // Other accounts behind the owners, and the amounts of each agent times a power of two.
  seed(
    (n) => ownerId(1_000 + ((n * 7) % OWNERS)),
    (agentId) => 2 ** (agentId % 5),
  )
  const other = await readEverything()
  expect(JSON.stringify(other) === JSON.stringify(seen)).toBe(true)
  seed(ownerId, () => 1)
})

test('no public answer has a wallet, an owner, an amount, a mandate id or a block of a mandate without public_proof', () => {
  const text = JSON.stringify(seen)
  expect(text.match(/0x[0-9a-f]{40}|mdt_|usdc|principal|"vault"|"blocks"/i)).toBeNull()
  for (const { amount } of chain) expect(text.includes(`"${amount}"`)).toBe(false)
  for (const { owner_id } of world.mandates.values()) expect(text.includes(String(owner_id))).toBe(false)
  // Routes that tell of agents to anybody, in every service: no member of an answer may be named like what is private.
  const forbidden = /^(owner_id|owner_wallet|owner_address|wallet|wallets|principal.*|paid_in.*|paid_out.*|worth_usdc)$/
  const open = contracts.flatMap(({ name, operations }) =>
    Object.values(operations).flatMap(({ key, auth, http, success }) =>
      auth === 'open' && http !== undefined && (name === 'gallery' || key.startsWith('readStrip'))
        ? [{ key, members: Object.values(success).flatMap((schema) => membersOf(schema as z.ZodType)) }]
        : [],
    ),
  )
  expect(open.map(({ key }) => key)).toEqual(expect.arrayContaining(['readHall', 'readHallAgent', 'readStrips']))
  for (const { key, members } of open) expect([key, members.filter((one) => forbidden.test(one))]).toEqual([key, []])
})

/** Every name of a member that an answer may have. */
function membersOf(schema: z.ZodType): readonly string[] {
  const names = (node: unknown): string[] => {
    if (Array.isArray(node)) return node.flatMap(names)
    if (typeof node !== 'object' || node === null) return []
    const { properties } = node as { properties?: Record<string, unknown> }
    return [...Object.keys(properties ?? {}), ...Object.values(node).flatMap(names)]
  }
  return names(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }))
}

test('who has the public routes alone guesses owners and amounts no better than who looks at nothing', () => {
  const amounts = targets.map(({ amount }) => amount)
  const figures = targets.map(({ view }) => new Map(numbersIn(view)))
  // Of 300 figures without a relation one in a thousand lies beyond 0.29 by chance, none beyond 0.4.
  for (const name of new Set(figures.flatMap((one) => [...one.keys()]))) {
    const values = figures.map((one) => one.get(name) ?? 0)
    if (new Set(values).size > 1)
      expect([name, Math.abs(correlation(values, amounts))]).toEqual([name, expect.toSatisfy((r) => r < 0.4)])
  }
  // Knows half of the mandates, as a house with many clients would, and guesses the others by the nearest of them.
  const known = targets.filter((_, at) => at % 2 === 0)
  const unknown = targets.filter((_, at) => at % 2 === 1)
  const features = ({ view }: (typeof targets)[number]) => [
    view.days_live / 10,
    view.trades / 30,
    (view.worth_change_bps ?? 0) / 500,
    (view.max_drawdown_bps ?? 0) / 300,
  ]
  const nearestOf = (target: (typeof targets)[number] | undefined): Guess | null =>
    target === undefined
      ? null
      : (known.toSorted(
          (a, b) => distance(features(a), features(target)) - distance(features(b), features(target)),
        )[0] ?? null)
  const guessed = hits(unknown, (_, at) => nearestOf(unknown[at]))
  const blind = hits(unknown, () => ({
    ownerWallet: known[0]?.ownerWallet ?? '',
    amount: median(known.map(({ amount }) => amount)),
  }))
  // Three standard deviations of 100 guesses that are right one time in twenty.
  expect(guessed.amounts).toBeLessThanOrEqual(blind.amounts + 12)
  expect(guessed.owners).toBeLessThanOrEqual(blind.owners + 8)
})

const distance = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, value, at) => sum + (value - (other[at] ?? 0)) ** 2, 0)

test('with the chain too, no owner and no amount is found that the chain does not show to whoever knows the wallet of an agent', () => {
  // Anybody who drafts a mandate with an agent reads its wallet in the terms; the chain then lists its vaults.
  const vaultsOf = (wallet: string) =>
    chain.filter(({ agentWallet }) => agentWallet === wallet).toSorted((a, b) => (a.opened < b.opened ? -1 : 1))
  const byChain = hits(targets, ({ agentId, name }) => vaultsOf(walletOf(agentId))[Number(name.slice(1)) - 1] ?? null)
  const withRoutes = hits(targets, ({ agentId }, at) => bestMatch(targets[at]?.view, vaultsOf(walletOf(agentId))))
  expect(withRoutes.owners).toBeLessThanOrEqual(byChain.owners)
  expect(withRoutes.amounts).toBeLessThanOrEqual(byChain.amounts)
  expect(byChain.owners).toBeGreaterThanOrEqual(HIDDEN * 0.9)
})

/** The vault whose results are nearest to the index of a mandate. */
function bestMatch(view: HallMandateView | undefined, vaults: readonly OnChain[]): OnChain | null {
  if (view?.series == null) return null
  const { values } = view.series
  const score = ({ results }: OnChain) => {
    let index = 100
    const series = [100, ...results.map((result) => (index *= 1 + result))]
    const length = Math.abs(series.length - values.length)
    return values.reduce((sum: number, value, at) => sum + Math.abs((value ?? 0) - (series[at] ?? 0)), length * 1_000)
  }
  return vaults.toSorted((a, b) => score(a) - score(b))[0] ?? null
}

test('who owns one mandate of an agent learns from indices in what proportion the others stand to it, and the chain says it exactly', () => {
  const estimates = new Map<string, number>()
  for (const page of seen.agents)
    for (const [name, amount] of proportions(page)) estimates.set(`${page.agent_id} ${name}`, amount)
  // Knows the amount of the oldest mandate of each agent: it is the own one.
  const others = targets.filter(({ name }) => name !== 'm1')
  const found = hits(others, ({ agentId, name }) => {
    const own = targets.find((one) => one.agentId === agentId && one.name === 'm1')
    const share = estimates.get(`${agentId} ${name}`)
    return own === undefined || share === undefined ? null : { ownerWallet: '', amount: share * own.amount }
  })
  const byChain = hits(
    others,
    ({ agentId, name }) => targets.find((one) => one.agentId === agentId && one.name === name) ?? null,
  )
  expect(found.owners).toBe(0)
  expect(found.amounts).toBeLessThanOrEqual(byChain.amounts)
})

/**
 * Estimates the amount of each mandate of a page as a multiple of the oldest one's. On each day the result of the agent is the mean
 * of its mandates, weighted by amount × index: a linear equation for the amounts. Solved by least squares, coordinate by coordinate.
 */
function proportions({ mandates, series }: Everything['agents'][number]): ReadonlyMap<string, number> {
  const indexOf = (one: HallMandateView['series'], day: number): number | null => {
    if (one === null) return null
    const at = day - Date.parse(one.from) / 86_400_000
    return at === -1 ? 100 : (one.values[at] ?? null)
  }
  const first = series === null ? 0 : Date.parse(series.from) / 86_400_000
  const rows = (series?.values ?? []).flatMap((_, at) => {
    const [before, after] = [indexOf(series, first + at - 1), indexOf(series, first + at)]
    if (before === null || after === null) return []
    const mean = after / before - 1
    return [
      mandates.map(({ series: own }) => {
        const [from, to] = [indexOf(own, first + at - 1), indexOf(own, first + at)]
        return from === null || to === null ? 0 : (from / 100) * (to / from - 1 - mean)
      }),
    ]
  })
  const amounts = mandates.map(() => 1)
  for (let round = 0; round < 400; round++)
    for (const [at, { mandate }] of mandates.entries()) {
      if (mandate === 'm1') continue
      const [against, own] = rows.reduce(
        ([a = 0, b = 0], row) => {
          const x = row[at] ?? 0
          const rest = row.reduce((sum, value, n) => (n === at ? sum : sum + value * (amounts[n] ?? 0)), 0)
          return [a - x * rest, b + x * x]
        },
        [0, 0],
      )
      if (own !== undefined && own > 0) amounts[at] = Math.max(0, (against ?? 0) / own)
    }
  return new Map(mandates.map(({ mandate }, at) => [mandate, amounts[at] ?? 0]))
}

test('what a page shows is comparable with the chain, as docs/method/hall.md says: who compares finds the vaults of an agent', () => {
  const found = targets.filter(({ view, agentId }) => bestMatch(view, chain)?.agentWallet === walletOf(agentId))
  expect(found.length).toBeGreaterThan(HIDDEN * 0.9)
})

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  chainOf,
  deployContracts,
  headNumber,
  prepare,
  read,
  termsOf,
  waitForReceipt,
  writeDeployment,
  type MandateTerms,
} from '@svc/chain'
import { gallery } from '@svc/contracts/gallery'
import type { HallMandateView } from '@svc/contracts/gallery/hall'
import { disposableAnvil, opened } from '@svc/testing'
import { createWalletClient, http, stringToHex, toFunctionSelector, zeroAddress, type Address, type Hex } from 'viem'
import { mnemonicToAccount, type HDAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rateDays, type Point } from '#facts/rules/rate-days.ts'
import type { AgentInput, MandateInput } from '#hall/rules/inputs.ts'
import { recordOf } from '#hall/rules/record.ts'

const account = (index: number) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: index })
const [admin, keeper, operator, owner, agent] = [account(0), account(1), account(2), account(3), account(4)]
const CHAIN_ID = 31_337
const USDC = 1_000_000n
const MARKET = stringToHex('BTC', { size: 32 })
const DAY = 86_400
const calls = prepare(CHAIN_ID)

/** A vault with the blocks of its marks, by UTC day. */
interface Life {
  readonly publicId: string
  readonly vault: Address
  readonly opened: number
  readonly marks: { day: number; block: number; point: Point }[]
  readonly trades: number[]
}

async function openWorld() {
  const anvil = await disposableAnvil()
  const chain = chainOf({ rpcUrl: anvil.url, id: CHAIN_ID })
  const wallet = (from: HDAccount) => createWalletClient({ account: from, transport: http(anvil.url) })
  const deployment = await deployContracts(chain, wallet(admin), { keeper: keeper.address, operator: operator.address })
  const at = (name: keyof typeof deployment.contracts) => deployment.contracts[name].address
  const send = async (from: HDAccount, call: { to: Address; data: Hex }): Promise<'success' | 'reverted'> => {
    const hash = await wallet(from).sendTransaction({ chain: null, ...call, gas: 3_000_000n })
    return (await waitForReceipt(chain, hash)).status
  }
  for (const to of [owner.address, at('venue')])
    await send(admin, calls.usdc(at('usdc')).mint({ to, amount: 1_000_000n * USDC }))
  const now = () => anvil.now()
  const day = async () => Math.floor((await now()) / DAY)
  /** Moves the chain to an hour of the next day, or of this one if it is still to come. */
  const until = async (hour: number, days = 0) => {
    const to = ((await day()) + days) * DAY + hour * 3_600
    await anvil.travel(to - (await now()))
    await anvil.mine(1)
  }
  const price = (percent: bigint) =>
    send(admin, calls.venue(at('venue')).setPrice({ m: MARKET, price: (60_000n * USDC * percent) / 100n }))
  const create = async (n: number, usdc: bigint): Promise<Life> => {
    const publicId = `mdt_${String(n).padStart(32, '0')}`
    const selectors = ['buy(bytes32,uint256,uint256)', 'sell(bytes32,uint256,uint256)'].map(toFunctionSelector)
    const terms: MandateTerms = {
      mandateId: publicId,
      owner: owner.address,
      agent: agent.address,
      feeRecipient: agent.address,
      usdc: at('usdc'),
      legGateway: zeroAddress,
      budget: 500n * USDC,
      perTxCap: 100n * USDC,
      dailyCap: 200n * USDC,
      approvalAbove: null,
      stopLine: 0n,
      legBudget: 0n,
      endsAt: BigInt((await now()) + 60 * DAY),
      feeBps: 1_000n,
      markets: [
        { id: 'testvenue', title: 'T', calls: selectors.map((selector) => ({ target: at('venue'), selector })) },
      ],
    }
    const { factoryTerms: t, mandateIdHash } = termsOf(terms, { chainId: CHAIN_ID, factory: at('factory') })
    await send(owner, calls.factory(at('factory')).createVault({ t }))
    const vault = await read(chain).factory(at('factory')).vaultOf({ owner: owner.address, mandateIdHash })
    const life: Life = { publicId, vault, opened: await day(), marks: [], trades: [] }
    await deposit(life, usdc)
    return life
  }
  const deposit = async ({ vault }: Life, usdc: bigint) => {
    await send(owner, calls.usdc(at('usdc')).approve({ spender: vault, value: usdc }))
    await send(owner, calls.vault(vault).deposit({ amount: usdc }))
  }
  const buy = async ({ vault, trades }: Life, usdc: bigint) => {
    const { data } = calls.venue(at('venue')).buy({ m: MARKET, usdcIn: usdc, minUnits: 0n })
    const status = await send(agent, calls.vault(vault).execute({ target: at('venue'), data, approveAmount: usdc }))
    if (status === 'success') trades.push(await day())
  }
  /** Notes what a mark of the newest block is, as the keeper and mandates would. */
  const mark = async ({ vault, marks }: Life) => {
    await anvil.mine(1)
    const block = await headNumber(chain)
    const options = { blockNumber: block }
    const views = read(chain).vault(vault)
    const venue = read(chain).venue(at('venue'))
    const units = await venue.units({ arg0: vault, arg1: MARKET }, options)
    const [proceeds] = units === 0n ? [0n] : await venue.quoteSell({ m: MARKET, n: units }, options)
    const worth = (await views.accounted(options)) + proceeds
    const paidOut = (await views.withdrawn(options)) + (await views.feeTotal(options))
    const point = { worth, paidIn: await views.principal(options), paidOut }
    marks.push({ day: await day(), block: Number(block), point })
  }
  return { anvil, deployment, send, until, price, create, deposit, buy, mark, day, now, stop: () => anvil.stop() }
}

/** Facts of a mandate as gallery keeps them. */
function inputOf(life: Life, more: Partial<MandateInput> = {}): MandateInput {
  const byDay = Map.groupBy(life.marks, ({ day }) => day)
  const days = [...byDay].map(([day, marks]) => ({
    day: String(day),
    points: marks.map(({ point }) => point),
    foreignFills: 0,
  }))
  const rated = rateDays(null, days)
  const columns = rated.map(({ day, start, peak, gain }) => ({ day: Number(day), start, peak, gain }))
  return {
    publicId: life.publicId,
    ownerId: 11,
    state: 'working',
    proof: { chainId: CHAIN_ID, vault: life.vault },
    hlLeg: false,
    principal: Number(life.marks.at(-1)?.point.paidIn ?? 0n),
    stopLine: 0,
    closing: null,
    opened: life.opened,
    ended: null,
    record: { seq: 5, hash: '0'.repeat(64) },
    tradesTotal: life.trades.length,
    marked: life.marks.at(-1)?.day ?? null,
    days: columns.map(({ day, start, peak, gain }) => ({
      day,
      start: Number(start),
      peak: Number(peak),
      gain: Number(gain),
    })),
    trades: [life.trades.length, life.trades.length, life.trades.length, life.trades.length],
    acts: [],
    refusals: [],
    blocks: [...byDay].map(([day, marks]) => [day, marks.map(({ block }) => block)] as const),
    ...more,
  }
}

type Page = ReturnType<(typeof gallery.operations.readHallAgent.success)[200]['parse']>
/** The page of the agent as gallery computes it. */
function pageOf(mandates: readonly MandateInput[], today: number, at: number): Page {
  const input: AgentInput = {
    agentId: 21,
    name: 'Scout',
    accepting: true,
    siblings: 0,
    ownOwners: new Set(),
    policyChanges: [],
    mandates,
  }
  const { body, windows, ranked, accepting, detail } = recordOf(input, today)
  const row_computed_at = new Date(at * 1000).toISOString()
  return gallery.operations.readHallAgent.success[200].parse({
    computed_at: row_computed_at,
    stale: false,
    pending: false,
    ...body,
    mandate_counts: body.mandates,
    ...windows.at(-1),
    rank: null,
    ranked,
    accepting,
    operator: null,
    house: false,
    degraded: false,
    record_error: false,
    row_computed_at,
    ...detail,
    paper: null,
  })
}

const world = opened(openWorld)
let folder: string
let good: Page
let inputs: MandateInput[]
let now: number
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hall-'))
  await writeDeployment(join(folder, 'deployment.json'), world.deployment)
  const { until, price, create, deposit, buy, mark } = world
  await price(100n)
  await until(10, 1)
  const first = await create(1, 200n * USDC)
  await mark(first)
  await buy(first, 80n * USDC)
  await until(23)
  await mark(first)
  await until(12, 1)
  await price(130n)
  await mark(first)
  // Money that comes in after a gain must not make it larger.
  await deposit(first, 100n * USDC)
  await mark(first)
  // More than one transaction may spend: refused by the vault.
  await buy(first, 150n * USDC)
  await until(23)
  await mark(first)
  await until(9, 1)
  const second = await create(2, 300n * USDC)
  await mark(second)
  await buy(second, 100n * USDC)
  await price(90n)
  await until(23)
  for (const one of [first, second]) await mark(one)
  await until(20, 1)
  await price(117n)
  await buy(second, 60n * USDC)
  for (const one of [first, second]) await mark(one)
  await until(1, 1)
  now = await world.now()
  inputs = [inputOf(first, { refusals: [[first.opened + 1, { OverPerTxCap: 1, server_guard: 2 }]] }), inputOf(second)]
  good = pageOf(inputs, await world.day(), now)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const tool = fileURLToPath(new URL('../../../../tools/verify-hall/main.ts', import.meta.url))
/** Verifies pages in one run of the tool; answers with its words about each. */
async function verify(pages: readonly Page[]): Promise<{ readonly code: number; readonly words: readonly string[] }> {
  const paths = pages.map((_, n) => join(folder, `page-${n}.json`))
  await Promise.all(pages.map((page, n) => writeFile(paths[n] ?? '', JSON.stringify(page))))
  const flags = ['--rpc', world.anvil.url, '--deployment', join(folder, 'deployment.json'), '--refusals']
  const { code, stdout } = await promisify(execFile)(process.execPath, [tool, ...paths, ...flags]).then(
    (done) => ({ code: 0, stdout: done.stdout }),
    (error: { code: number; stdout: string }) => error,
  )
  return { code, words: paths.map((path) => stdout.split(`${path}: `)[1]?.split('\n/')[0] ?? '') }
}

test('a page of the Hall is recomputed from the chain alone, and the row if all its mandates are open', async () => {
  expect(good.mandates.map(({ proof }) => proof?.points.length)).toEqual([2, 4])
  expect(good).toMatchObject({ days_live: 4, trades: 3, ranked: false })
  const hidden = pageOf(
    inputs.map((one, n) => (n === 0 ? { ...one, proof: null } : one)),
    await world.day(),
    now,
  )
  const leg = pageOf(
    inputs.map((one) => ({ ...one, hlLeg: true })),
    await world.day(),
    now,
  )
  const { code, words } = await verify([good, hidden, leg])
  expect({ code, words }).toMatchObject({ code: 0 })
  expect(words[0]).toContain(
    'confirmed m1: proof.vault, trades, clauses, days_live, refusals of the chain, worth_change_bps',
  )
  expect(words[0]).toContain('confirmed row: days_live')
  expect(words[1]).toContain('unverifiable: the row: 1 of its mandates have no public proof')
  expect(words[1]).not.toContain('confirmed m1')
  expect(words[2]).toContain('unverifiable: m1 worth, drawdown, series: venue')
})

test('a forged page is caught, one figure at a time, and the figure is named', async () => {
  const [m2, m1] = good.mandates as [HallMandateView, HallMandateView]
  const withFirst = (change: Partial<HallMandateView>): Page => ({ ...good, mandates: [m2, { ...m1, ...change }] })
  const { series, proof, clauses, refusals } = m1
  if (series === null || proof === null || good.series === null)
    throw new Error('the first mandate has a series and a proof')
  const points = (change: (blocks: number[], at: number) => number[]) =>
    withFirst({
      proof: { ...proof, points: proof.points.map(({ day, blocks }, at) => ({ day, blocks: change(blocks, at) })) },
    })
  const higher = (values: readonly (number | null)[]) => values.with(-1, (values.at(-1) ?? 0) + 0.05)
  const cases: readonly (readonly [string, Page])[] = [
    ['m1.trades', withFirst({ trades: m1.trades + 1 })],
    ['m1.trades', withFirst({ trades: m1.trades - 1 })],
    ['m1.days_live', withFirst({ days_live: m1.days_live + 1 })],
    ['m1.days_live', withFirst({ days_live: m1.days_live - 1 })],
    ['m1.clauses.kept', withFirst({ clauses: { ...clauses, kept: false } })],
    ['m1.refusals.by_kind.OverPerTxCap', withFirst({ refusals: { total: 2, by_kind: { server_guard: 2 } } })],
    ['m1.refusals.total', withFirst({ refusals: { ...refusals, total: refusals.total - 1 } })],
    ['m1.worth_change_bps', withFirst({ worth_change_bps: (m1.worth_change_bps ?? 0) + 2 })],
    ['m1.max_drawdown_bps', withFirst({ max_drawdown_bps: (m1.max_drawdown_bps ?? 0) - 2 })],
    ['m1.counts_for_worth', withFirst({ counts_for_worth: false })],
    ['m1.foreign_days', withFirst({ foreign_days: 1 })],
    ['m1.series', withFirst({ series: { ...series, values: higher(series.values) } })],
    ['m1.series', withFirst({ series: { ...series, values: series.values.slice(0, -1) } })],
    ['m1.series', withFirst({ series: null })],
    // The mark after the deposit is left out: what came in would look like nothing happened.
    ['m1.series', points((blocks, at) => (at === 1 ? [blocks.at(-1) ?? 0] : blocks))],
    ['m1.proof.points', points((blocks, at) => (at === 1 ? [...blocks, 1] : blocks))],
    ['m1.state', withFirst({ state: 'ended' })],
    ['m1.state', withFirst({ state: 'closed' })],
    ['proof.public_id', withFirst({ proof: { ...proof, public_id: m2.proof?.public_id ?? '' } })],
    ['proof.vault', withFirst({ proof: { ...proof, vault: world.deployment.contracts.venue.address } })],
    ['m1.proof.chain_id', withFirst({ proof: { ...proof, chain_id: 1 } })],
    ['days_live', { ...good, days_live: good.days_live + 10 }],
    ['trades', { ...good, trades: good.trades + 10 }],
    ['violations', { ...good, violations: 1 }],
    ['refusals.total', { ...good, refusals: { ...good.refusals, total: 0 } }],
    ['days_needed', { ...good, days_needed: 0 }],
    ['trades_needed', { ...good, trades_needed: 0 }],
    ['ranked', { ...good, ranked: true }],
    ['adherence_pct', { ...good, adherence_pct: 90 }],
    ['worth_change_bps', { ...good, worth_change_bps: (good.worth_change_bps ?? 0) + 2 }],
    ['max_drawdown_bps', { ...good, max_drawdown_bps: (good.max_drawdown_bps ?? 0) - 2 }],
    ['series', { ...good, series: { ...good.series, values: higher(good.series.values) } }],
  ]
  const { code, words } = await verify(cases.map(([, page]) => page))
  expect(code).toBe(1)
  expect(words.map((one) => /^does not hold: (\S+)/.exec(one)?.[1] ?? one)).toEqual(cases.map(([figure]) => figure))
})

test('the interval of a row with 14 days is recomputed, and a forged end of it is named', async () => {
  const { until, price, create, buy, mark } = world
  await until(10, 1)
  const life = await create(3, 200n * USDC)
  await buy(life, 80n * USDC)
  await mark(life)
  for (let day = 1; day <= 15; day += 1) {
    await price(100n + BigInt((day * 7) % 5))
    await until(23, 1)
    await mark(life)
  }
  await until(1, 1)
  const page = pageOf([inputOf(life)], await world.day(), await world.now())
  const { worth_change_low_bps: low, worth_change_high_bps: high } = page
  if (low === null || high === null) throw new Error('the page has an interval')
  expect(low).toBeLessThan(high)
  const { words } = await verify([
    page,
    { ...page, worth_change_low_bps: low + 3 },
    { ...page, worth_change_high_bps: high + 3 },
    { ...page, worth_change_high_bps: null },
    // More siblings widen the interval.
    { ...page, sibling_agents: 3 },
  ])
  expect(words[0]).toContain('worth_change_bps with its interval')
  expect(words.slice(1).map((one) => /^does not hold: (\S+)/.exec(one)?.[1] ?? one)).toEqual([
    'worth_change_low_bps',
    'worth_change_high_bps',
    'worth_change_high_bps',
    'worth_change_low_bps',
  ])
})

import { read } from '@svc/chain'
import { usdcText } from '@svc/limits'
import { sql } from '@svc/postgres'
import { opened } from '@svc/testing'
import { expectBurns, expectFires, scrapeHere } from '@svc/testing/alerts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { Context } from '#context.ts'
import { jobs } from '#jobs.ts'
import { calls, chainRig, MARKET, startRig, USDC, wallets, type TestVault } from '../rig.ts'

let restore: () => Promise<void>
const chain = opened(() => chainRig())
const rig = opened(() => startRig(chain))
beforeEach(async () => {
  restore = await chain.anvil.snapshot()
  rig.clock.set(new Date((await chain.anvil.now()) * 1000))
  rig.neighbours.followed.clear()
  rig.neighbours.rows.length = 0
  rig.neighbours.mandatesIsAway = false
})
afterEach(async () => {
  chain.proxy.heal()
  await rig.pool.query(sql.unsafe`DELETE FROM transaction`)
  await restore()
})

const views = ({ address }: TestVault) => read(chain.chain).vault(address)
const endings = () =>
  rig.pool.any(sql.type(z.object({ vault: z.string(), kind: z.string(), outcome: z.string().nullable() }))`
    SELECT vault, kind, outcome FROM transaction ORDER BY id`)
const followed = async (usdc: bigint, changed = {}) => {
  const vault = await chain.vault(usdc, changed)
  rig.follow(vault)
  return vault
}
/** Decides, sends, and sees it mined. */
const markAndSend = async () => {
  // A mark must be newer than the last one by a second at least; anvil puts blocks that follow at once into the same second.
  await chain.anvil.travel(2)
  const report = await rig.run('mark')
  await rig.run('send')
  await rig.run('send')
  return report
}
/** One run of the mark worker with other parts. */
const runMark = async (changed: Partial<Context>) => {
  rig.clock.set(new Date(Math.max(rig.clock.now().getTime(), (await chain.anvil.now()) * 1000)))
  return jobs.mark({ ...(await rig.context()), ...changed })(AbortSignal.timeout(600_000))
}

test('a mark is the USDC of the vault and what the venue would pay for all of its position, as of the block that was read', async () => {
  const vault = await followed(400n * USDC)
  await chain.buy(vault, 50n * USDC)
  await markAndSend()
  const [units] = [await read(chain.chain).venue(chain.at('venue')).units({ arg0: vault.address, arg1: MARKET })]
  const [value] = await read(chain.chain).venue(chain.at('venue')).quoteSell({ m: MARKET, n: units })
  expect(value).toBeGreaterThan(49n * USDC)
  expect(await views(vault).lastWorth()).toBe(350n * USDC + value)
  const row = rig.neighbours.rows[0]
  const { timestamp } = await chain.chain.client.getBlock({ blockNumber: BigInt(row?.block_number ?? 0) })
  expect(await views(vault).markedAt()).toBe(timestamp)
  expect(rig.neighbours.rows).toMatchObject([
    {
      public_id: vault.publicId,
      vault_usdc: '350',
      leg_usdc: null,
      source: 'keeper',
      withheld_reason: null,
      positions: [{ asset: 'BTC', units: usdcText(units), worth_usdc: usdcText(value) }],
    },
  ])
  expect(await endings()).toEqual([{ vault: vault.address, kind: 'mark', outcome: 'done' }])
})

test('a block that is replaced while vaults are read marks nothing and stores no worth; the next run reads again', async () => {
  const vault = await followed(400n * USDC)
  await chain.buy(vault, 50n * USDC)
  chain.proxy.inject({ kind: 'reorg', depth: 1, before: 'eth_call', times: 1 })
  await expect(rig.run('mark')).rejects.toThrow('was replaced while vaults were read')
  expect([rig.neighbours.rows, await endings()]).toEqual([[], []])
  await markAndSend()
  expect(await views(vault).lastWorth()).toBe(400n * USDC)
})

test('what was sent to the address of a vault is worth, and the row says that it is not in the books', async () => {
  const vault = await followed(400n * USDC)
  const usdc = calls.usdc(chain.at('usdc'))
  await chain.send(wallets.owner, usdc.transfer({ to: vault.address, value: 30n * USDC }))
  await rig.run('mark')
  expect(rig.neighbours.rows).toMatchObject([{ worth_usdc: '430', vault_usdc: '430', unbooked_usdc: '30' }])
})

test('a worth at the stop line stops the vault, however small the change; a worth just above it does not', async () => {
  const vault = await followed(400n * USDC)
  await chain.buy(vault, 150n * USDC)
  await markAndSend()
  expect(await views(vault).stopReason()).toBe(0)
  await chain.price(35n)
  await markAndSend()
  expect(await views(vault).phase()).toBe(0)
  await chain.price(33n)
  await markAndSend()
  expect(await views(vault).stopReason()).toBe(2)
  expect(await views(vault).lastWorth()).toBeLessThanOrEqual(300n * USDC)
})

test('when the second reading disagrees about the stop line, no mark is sent and the worth is withheld', async () => {
  const vault = await followed(400n * USDC)
  await chain.buy(vault, 150n * USDC)
  const values = [40n * USDC, 150n * USDC]
  const position = { venue: chain.at('venue'), market: MARKET, name: 'BTC', units: 1n, cost: 0n, resolved: false }
  await runMark({
    adapters: [{ venue: chain.at('venue'), positionsOf: async () => [{ ...position, value: values.shift() ?? null }] }],
  })
  expect(await endings()).toEqual([])
  expect(rig.neighbours.rows).toMatchObject([{ worth_usdc: null, withheld_reason: 'readings_disagree' }])
})

test('a vault that was not paid in above its stop line gets no mark, which would stop it for ever', async () => {
  const vault = await followed(250n * USDC)
  const exact = await followed(300n * USDC)
  await markAndSend()
  expect(await endings()).toEqual([])
  expect(rig.neighbours.rows.map(({ worth_usdc }) => worth_usdc)).toEqual(['250', '300'])
  for (const one of [vault, exact]) expect(await views(one).phase()).toBe(0)
})

test('a change below the minimum sends nothing until the mark is an hour old', async () => {
  const vault = await followed(400n * USDC)
  await chain.buy(vault, 50n * USDC)
  await markAndSend()
  await chain.price(101n)
  await markAndSend()
  expect(await endings()).toHaveLength(1)
  await chain.price(106n)
  await markAndSend()
  expect(await endings()).toHaveLength(2)
  await chain.anvil.travel(3_700)
  await markAndSend()
  expect(await endings()).toHaveLength(3)
})

test('marks that nobody sends get old, and an alert says so', async () => {
  await followed(400n * USDC)
  await markAndSend()
  // A dry run reads the vaults and sends nothing.
  const run = async () => {
    await rig.run('mark', { markDryRun: true }, null)
    return scrapeHere()
  }
  const before = [await run(), await run()]
  await chain.anvil.travel(3_700)
  const after = [await run(), await run()]
  await expectFires('MarkAgeHigh', { before, after, minutes: 5 })
  await expectBurns('marks', { before, after })
})

test('a vault whose position no adapter prices is not marked, and its row says why', async () => {
  const traded = await followed(400n * USDC)
  const untouched = await followed(400n * USDC)
  await chain.buy(traded, 50n * USDC)
  await runMark({ adapters: [] })
  expect(rig.neighbours.rows).toMatchObject([
    {
      public_id: traded.publicId,
      worth_usdc: null,
      vault_usdc: '350',
      withheld_reason: 'position_without_adapter',
      positions: null,
    },
    { public_id: untouched.publicId, worth_usdc: '400', withheld_reason: null },
  ])
  expect((await endings()).map(({ vault }) => vault)).toEqual([untouched.address])
})

test('a position that its venue has not the money to buy back has no price', async () => {
  const vault = await followed(400n * USDC)
  await chain.buy(vault, 50n * USDC)
  const venue = chain.at('venue')
  const usdc = read(chain.chain).usdc(chain.at('usdc'))
  await chain.anvil.request('anvil_impersonateAccount', [venue])
  await chain.anvil.request('anvil_setBalance', [venue, '0xde0b6b3a7640000'])
  const { to, data } = calls
    .usdc(chain.at('usdc'))
    .transfer({ to: wallets.admin.address, value: (await usdc.balanceOf({ account: venue })) - 49n * USDC })
  await chain.anvil.request('eth_sendTransaction', [{ from: venue, to, data }])
  await expect.poll(() => usdc.balanceOf({ account: venue })).toBe(49n * USDC)
  await rig.run('mark')
  expect(rig.neighbours.rows).toMatchObject([
    { worth_usdc: null, withheld_reason: 'position_without_price', positions: null },
  ])
  expect(await endings()).toEqual([])
})

test('the nearest to their stop lines are marked first when there are more than one run may send', async () => {
  const far = await followed(490n * USDC)
  const near = await followed(330n * USDC)
  const between = await followed(400n * USDC)
  await rig.run('mark', { markMax: 2 })
  expect((await endings()).map(({ vault }) => vault)).toEqual([near.address, between.address])
  await rig.run('send')
  await rig.run('send')
  await rig.run('mark', { markMax: 2 })
  expect((await endings()).map(({ vault }) => vault)).toEqual([near.address, between.address, far.address])
})

test('a dry run stores worth rows and heartbeats, and neither decides nor sends anything', async () => {
  const vault = await followed(400n * USDC)
  const dry = () => rig.run('mark', { markDryRun: true }, null)
  await dry()
  await dry()
  expect(rig.neighbours.rows).toHaveLength(1)
  rig.clock.advance(901_000)
  await dry()
  expect(rig.neighbours.rows.map(({ worth_usdc }) => worth_usdc)).toEqual(['400', '400'])
  expect(await rig.run('send', { markDryRun: true }, null)).toEqual({ done: 0 })
  expect(await endings()).toEqual([])
  expect(await views(vault).markedAt()).toBe(0n)
})

test('marks are decided also while mandates cannot store worth rows, and rows follow later', async () => {
  const vault = await followed(400n * USDC)
  const context = await rig.context()
  const storing = { ...context.ask.mandates, storeWorth: () => Promise.reject(new Error('away')) }
  const ask = { ...context.ask, mandates: storing as unknown as typeof context.ask.mandates }
  await expect(runMark({ ask })).rejects.toThrow('away')
  expect(await endings()).toMatchObject([{ vault: vault.address, outcome: null }])
  await rig.run('mark')
  expect(rig.neighbours.rows).toHaveLength(1)
})

test('a stopped vault without positions is settled once, one with a position or still open is not', async () => {
  const [clean, holding, open] = [await followed(400n * USDC), await followed(400n * USDC), await followed(400n * USDC)]
  await chain.buy(holding, 50n * USDC)
  for (const one of [clean, holding]) {
    await chain.send(wallets.owner, { to: one.address, data: '0x07da68f5' })
    rig.follow(one, 'stopped')
  }
  rig.follow(open, 'stopped')
  for (let round = 0; round < 3; round++) {
    await rig.run('settle')
    await rig.run('send')
    await rig.run('send')
  }
  expect(await endings()).toEqual([{ vault: clean.address, kind: 'settle', outcome: 'done' }])
  expect([await views(clean).settled(), await views(holding).settled(), await views(open).settled()]).toEqual([
    true,
    false,
    false,
  ])
})

test('an ended vault is settled within a day, before its owner may withdraw', async () => {
  const vault = await followed(400n * USDC, { endsAt: BigInt((await chain.anvil.now()) + 3_600) })
  await chain.anvil.travel(3_700)
  expect(await views(vault).withdrawLock()).toMatchObject([2, expect.any(BigInt)])
  rig.follow(vault, 'ended')
  await rig.run('settle')
  await rig.run('send')
  await rig.run('send')
  expect(await views(vault).phase()).toBe(4)
  expect(await views(vault).withdrawLock()).toEqual([0, 0n])
})

test('each run of the mark worker reports that it ran and whether it is live', async () => {
  rig.neighbours.runs.length = 0
  await runMark({})
  await runMark({ signer: null })
  expect(rig.neighbours.runs.map(({ worker, live }) => [worker, live])).toEqual([
    ['mark', true],
    ['mark', false],
  ])
})

import { inspect } from 'node:util'
import { read } from '@svc/chain'
import { loadSettings } from '@svc/contract'
import { keeperSettings } from '@svc/contracts/keeper/settings'
import { sql } from '@svc/postgres'
import type { Log } from '@svc/service'
import { opened } from '@svc/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { jobs } from '#jobs.ts'
import { start } from '#main.ts'
import { openPool } from '#signers/pool.ts'
import { calls, environmentOf, USDC, wallets, type TestVault } from '../rig.ts'
import { killAfterEachChange } from './killed-keeper.ts'
import { legEnvironment, OWNER, POOL_KEY, startLegRig } from './leg-rig.ts'

const leg = opened(() => startLegRig())
let restore: () => Promise<void>
beforeEach(async () => {
  restore = await leg.chain.anvil.snapshot()
  leg.rig.clock.set(new Date((await leg.chain.anvil.now()) * 1000))
})
afterEach(async () => {
  leg.chain.proxy.heal()
  leg.peer.rows.clear()
  leg.peer.bodies.clear()
  leg.peer.standing = {}
  leg.peer.isAway = false
  leg.record.clear()
  leg.indexer.isBehind = false
  leg.rig.neighbours.followed.clear()
  leg.rig.neighbours.rows.length = 0
  await leg.rig.pool.query(sql.unsafe`DELETE FROM transaction`)
  await restore()
})

const views = ({ address }: TestVault) => read(leg.chain.chain).vaultV2(address)
const gateway = () => read(leg.chain.chain).legGateway(leg.chain.at('leg_gateway'))
const kinds = async () =>
  leg.rig.pool.any(sql.type(z.object({ kind: z.string(), outcome: z.string().nullable() }))`
    SELECT kind, outcome FROM transaction ORDER BY id`)
const stop = async (vault: TestVault) => {
  await leg.chain.send(wallets.owner, calls.vault(vault.address).stop())
  const entry = leg.record.get(vault.publicId) ?? expect.fail()
  const stoppedAt = new Date((await leg.chain.anvil.now()) * 1000).toISOString()
  leg.record.set(vault.publicId, { ...entry, state: 'stopped', stoppedAt })
  leg.rig.follow(vault, 'stopped')
}

test('a leg is funded once, delivered, returned with its gain to the last micro-dollar, and its vault settled', async () => {
  const vault = await leg.follow(400n * USDC)
  const before = leg.account(OWNER)
  await leg.turn(6)
  expect(await views(vault).legOut()).toBe(200n * USDC)
  expect(leg.transferOf(vault)).toMatchObject({ state: 'delivered', amount_usdc: '200' })
  expect(leg.account(OWNER) - before).toBe(200)
  expect(leg.peer.bodies.get(leg.transferOf(vault).transfer_id)).toHaveLength(1)
  await leg.turn(3)
  expect((await kinds()).filter(({ kind }) => kind === 'fund_leg')).toEqual([{ kind: 'fund_leg', outcome: 'done' }])

  await stop(vault)
  await leg.rig.run('settle')
  expect((await kinds()).map(({ kind }) => kind)).not.toContain('settle')
  await leg.chain.send(
    wallets.admin,
    calls.usdc(leg.chain.at('usdc')).mint({ to: wallets.operator.address, amount: 1_000n * USDC }),
  )
  const back = leg.landReturn(vault, 212_345_678n, true)
  await leg.turn(10)
  expect(leg.peer.rows.get(back.transfer_id)).toMatchObject({ chain_step: 'seen', open: false })
  expect(await views(vault).accounted()).toBe(200n * USDC + 212_345_678n)
  expect([await views(vault).legOpen(), await gateway().totalOutstanding()]).toEqual([false, 0n])
  const usdc = read(leg.chain.chain).usdc(leg.chain.at('usdc'))
  expect(await usdc.allowance({ owner: wallets.operator.address, spender: leg.chain.at('leg_gateway') })).toBe(0n)
  expect((await kinds()).map(({ kind }) => kind).slice(1)).toEqual(['approve', 'top_up', 'give_back'])

  await leg.rig.run('settle')
  for (let round = 0; round < 3; round++) await leg.rig.run('send')
  expect(await views(vault).settled()).toBe(true)
})

test('a funding that the record of the vault does not know yet is not made a second time', async () => {
  const vault = await leg.follow(400n * USDC)
  await leg.turn()
  leg.indexer.isBehind = true
  await leg.turn(8)
  expect([...leg.peer.rows.values()].map(({ kind, state }) => [kind, state])).toEqual([['fund', 'delivered']])
  leg.indexer.isBehind = false
  await leg.turn()
  expect(await views(vault).legOut()).toBe(200n * USDC)
})

test('an account that the venue does not know is opened with 1 USDC of the pool, once', async () => {
  const vault = await leg.follow(400n * USDC)
  leg.peer.standing = { state: 'proposed', ready: false, activation_asked: true }
  const before = leg.account(OWNER)
  await leg.turn(3)
  expect(leg.transferOf(vault, 'activation')).toMatchObject({ state: 'delivered', amount_usdc: '1' })
  expect(leg.account(OWNER) - before).toBe(1)
  expect([...leg.peer.rows.values()].map(({ kind }) => kind)).toEqual(['activation'])
})

/** Where a transfer and its newest transaction stand. */
async function momentOf({ publicId }: TestVault): Promise<string> {
  const row = [...leg.peer.rows.values()].findLast(({ public_id }) => public_id === publicId)
  if (row === undefined) return 'no transfer'
  const transaction = await leg.rig.pool.maybeOne(sql.type(z.object({ kind: z.string(), stands: z.string() }))`
    SELECT kind, coalesce(outcome, CASE WHEN nonce IS NULL THEN 'waits' ELSE 'signed' END) AS stands
    FROM transaction WHERE transfer_id = ${row.transfer_id} ORDER BY id DESC LIMIT 1`)
  const called = transaction === null ? 'no call' : `${transaction.kind} ${transaction.stands}`
  return `${row.kind}: ${called}; told ${row.chain_step}; venue ${row.venue_step}`
}

test('keeper killed between any two steps of a funding, a return and an ending sends nothing twice, and each mark has its equation or its reason', async () => {
  const vault = await leg.follow(400n * USDC)
  const before = leg.account(OWNER)
  const moments: string[] = []
  let worth = '400'
  const afterDeath = async () => {
    const moment = await momentOf(vault)
    // A process that ended before it read has changed nothing.
    if (moment === moments.at(-1)) return
    moments.push(moment)
    await leg.rig.run('mark')
    const row = leg.rig.neighbours.rows.at(-1) ?? expect.fail('a mark has a row')
    if (row.worth_usdc === null) expect(row.withheld_reason).not.toBe(null)
    else expect(row.worth_usdc).toBe(worth)
    expect([0, 200]).toContain(leg.account(OWNER) - before)
    for (const bodies of leg.peer.bodies.values()) expect(new Set(bodies).size).toBe(1)
  }
  const until = async (isOver: () => boolean) => {
    for (let turn = 0; turn < 20 && !isOver(); turn++) {
      await killAfterEachChange(leg, 'legMover', afterDeath)
      await killAfterEachChange(leg, 'send', afterDeath)
      await leg.chain.anvil.mine(1)
    }
    expect(isOver()).toBe(true)
  }
  await until(() => leg.peer.rows.size > 0 && !leg.transferOf(vault).open)
  expect(leg.account(OWNER) - before).toBe(200)

  await stop(vault)
  await leg.chain.send(
    wallets.admin,
    calls.usdc(leg.chain.at('usdc')).mint({ to: wallets.operator.address, amount: 1_000n * USDC }),
  )
  const back = leg.landReturn(vault, 212_345_678n)
  worth = '412.345678'
  await until(() => leg.peer.rows.get(back.transfer_id)?.open === false)
  expect(await views(vault).legReturned()).toBe(212_345_678n)

  leg.peer.standing = { explained: nothingOwed() }
  await killAfterEachChange(leg, 'legReconcile', afterDeath)
  await until(() => !leg.transferOf(vault, 'closing').open)
  expect([await views(vault).legOpen(), await views(vault).legFunded(), await views(vault).legReturned()]).toEqual([
    false,
    200n * USDC,
    212_345_678n,
  ])
  expect((await kinds()).filter(({ kind }) => kind !== 'mark')).toEqual(
    ['fund_leg', 'approve', 'top_up', 'give_back', 'give_back'].map((kind) => ({ kind, outcome: 'done' })),
  )
  expect([...new Set(moments)], 'a process has ended at each of these moments').toEqual(
    expect.arrayContaining([
      'fund: no call; told none; venue none',
      'fund: fund_leg waits; told none; venue none',
      'fund: fund_leg signed; told none; venue none',
      'fund: fund_leg done; told sending; venue none',
      'fund: fund_leg done; told seen; venue none',
      'return: approve waits; told none; venue landed',
      'return: approve signed; told none; venue landed',
      'return: approve done; told none; venue landed',
      'return: top_up waits; told none; venue landed',
      'return: top_up signed; told none; venue landed',
      'return: give_back waits; told none; venue landed',
      'return: give_back signed; told none; venue landed',
      'return: give_back done; told sending; venue landed',
      'return: give_back done; told seen; venue landed',
      'closing: no call; told none; venue none',
      'closing: give_back waits; told none; venue none',
      'closing: give_back signed; told none; venue none',
      'closing: give_back signed; told sending; venue none',
      'closing: give_back done; told sending; venue none',
      'closing: give_back done; told seen; venue none',
    ]),
  )
})

test('chain and hl-leg away for minutes: transfers wait and then go on', async () => {
  const vault = await leg.follow(400n * USDC)
  await leg.rig.run('legMover')
  leg.peer.isAway = true
  await expect(leg.rig.run('legMover')).rejects.toThrow('hl-leg')
  leg.peer.isAway = false
  const heal = leg.chain.proxy.inject({ kind: 'dropped' })
  await expect(leg.rig.run('send')).rejects.toThrow()
  await expect(leg.rig.run('legMover')).rejects.toThrow()
  heal()
  await leg.turn(7)
  expect(leg.transferOf(vault)).toMatchObject({ state: 'delivered' })
})

describe('a reorganisation that takes fundLeg away after the pool sent', () => {
  /** Funds a leg, mines so many blocks and replaces all of them: hl-leg holds the transfer as unbacked then. */
  const lose = async (blocks: number) => {
    const vault = await leg.follow(400n * USDC)
    await leg.turn(6)
    const told = leg.transferOf(vault)
    expect(told).toMatchObject({ state: 'delivered', chain_step: 'seen' })
    await leg.chain.anvil.mine(blocks)
    await leg.chain.anvil.reorg(6 + blocks)
    expect(await views(vault).legOut()).toBe(0n)
    await leg.rig.run('mark')
    // The money counts once: it is at the venue, and the vault holds what it did not pay.
    expect(leg.rig.neighbours.rows.at(-1)).toMatchObject({ worth_usdc: '400' })
    await leg.rig.run('legMover')
    const lost = leg.transferOf(vault)
    expect(lost).toMatchObject({ chain_step: 'lost', venue_step: 'landed' })
    leg.peer.rows.set(lost.transfer_id, { ...lost, state: 'unbacked', open: true })
    return { vault, bodies: leg.peer.bodies.get(told.transfer_id) ?? [] }
  }

  test.each([
    ['a few blocks', 0],
    ['more blocks than chain-indexer knows', 300],
  ])('replaces %s: the same call is mined again, and the pool sends nothing again', async (_, blocks) => {
    const { vault, bodies } = await lose(blocks)
    await leg.turn(7)
    expect(await views(vault).legFunded()).toBe(200n * USDC)
    expect(leg.transferOf(vault)).toMatchObject({ chain_step: 'seen' })
    expect(bodies).toHaveLength(1)
    await leg.rig.run('mark')
    expect(leg.rig.neighbours.rows.at(-1)).toMatchObject({ worth_usdc: '400' })
  })

  test('and whose vault was stopped meanwhile leaves a debt: the call is refused, and the pool sends nothing again', async () => {
    const { vault, bodies } = await lose(0)
    await stop(vault)
    await leg.turn(6)
    expect(leg.transferOf(vault)).toMatchObject({
      chain_step: 'failed',
      venue_step: 'landed',
      reason: 'MandateStopped',
    })
    expect([await views(vault).legFunded(), bodies.length]).toEqual([0n, 1])
  })
})

test('a funding that the vault refuses is cancelled, and no money leaves the pool', async () => {
  const vault = await leg.follow(400n * USDC)
  await leg.rig.run('legMover')
  await stop(vault)
  await leg.turn(3)
  expect(leg.transferOf(vault)).toMatchObject({ chain_step: 'failed', reason: 'MandateStopped', open: false })
  expect(leg.peer.bodies.size).toBe(0)
})

test('an empty pool keeps the return and says so; once it is filled the vault is paid', async () => {
  const vault = await leg.follow(400n * USDC)
  await leg.turn(6)
  const back = leg.landReturn(vault, 900n * USDC)
  await leg.turn(2)
  expect(leg.peer.rows.get(back.transfer_id)).toMatchObject({ reason: 'pool_low', open: true, chain_step: 'none' })
  await leg.chain.send(
    wallets.admin,
    calls.usdc(leg.chain.at('usdc')).mint({ to: wallets.operator.address, amount: 900n * USDC }),
  )
  await leg.turn(9)
  expect(leg.peer.rows.get(back.transfer_id)).toMatchObject({ chain_step: 'seen', open: false })
  expect(await views(vault).legReturned()).toBe(900n * USDC)
})

test('marks count the leg and money under way once, and are withheld with the reason that hl-leg gives', async () => {
  await leg.follow(400n * USDC)
  const worths = async () => {
    leg.rig.clock.advance(1_000_000)
    await leg.rig.run('mark')
    return leg.rig.neighbours.rows.at(-1)
  }
  expect(await worths()).toMatchObject({ worth_usdc: '400', leg_usdc: '0' })
  for (let round = 0; round < 7; round++) {
    await leg.turn(1)
    expect(await worths()).toMatchObject({ worth_usdc: '400' })
  }
  expect(await worths()).toMatchObject({ vault_usdc: '200', leg_usdc: '200' })
  leg.peer.standing = { withheld_reason: 'leg_transfer_stuck' }
  expect(await worths()).toMatchObject({ worth_usdc: null, withheld_reason: 'leg_transfer_stuck', leg_usdc: null })
  leg.peer.isAway = true
  expect(await worths()).toMatchObject({ worth_usdc: null, withheld_reason: 'leg_unreadable' })
})

/** A reading of now that is explained: the account is flat and owes nothing. */
const nothingOwed = () => ({ read_at: leg.rig.clock.now().toISOString(), flat: true, owed_usdc: '0.009999' })

test('a leg that owes nothing is closed with nothing, and after the deadline the vault gets what is known last of the leg', async () => {
  const [empty, late] = [await leg.follow(400n * USDC), await leg.follow(400n * USDC)]
  await leg.turn(6)
  for (const vault of [empty, late]) await stop(vault)
  leg.record.delete(late.publicId)
  // Nothing is withdrawable and nothing is read, but money is owed.
  const { explained } = { explained: { ...nothingOwed(), owed_usdc: '200' } }
  for (const standing of [{ withdrawable_usdc: '0', explained }, { explained: null }]) {
    leg.peer.standing = standing
    expect(await leg.rig.run('legReconcile')).toMatchObject({ opened: 0 })
  }
  leg.peer.standing = { explained: nothingOwed() }
  await leg.rig.run('legReconcile')
  expect(leg.transferOf(empty, 'closing')).toMatchObject({ amount_usdc: '0', last: true })
  await leg.turn(5)
  expect([await views(empty).legOpen(), await views(empty).legReturned()]).toEqual([false, 0n])

  const stoppedAt = new Date(leg.rig.clock.now().getTime() - 86_400_000).toISOString()
  leg.record.set(late.publicId, { vault: late, state: 'stopped', stoppedAt })
  leg.peer.standing = { explained: null }
  await leg.rig.run('legReconcile')
  expect(leg.transferOf(late, 'fallback')).toMatchObject({ amount_usdc: '200', last: true })
  await leg.turn(5)
  expect([await views(late).legOpen(), await views(late).legReturned()]).toEqual([false, 200n * USDC])
})

test('money that comes after the end of the leg is given up for credit only once the end lies deep enough, and is never credited', async () => {
  const vault = await leg.follow(400n * USDC)
  await leg.turn(6)
  await stop(vault)
  leg.peer.standing = { explained: nothingOwed() }
  await leg.rig.run('legReconcile')
  await leg.rig.run('legMover')
  await leg.rig.run('send')
  await leg.chain.anvil.mine(1)
  expect(await views(vault).legOpen()).toBe(false)
  const late = leg.landReturn(vault, 100n * USDC)
  const steps: string[] = []
  for (let turn = 0; turn < 6; turn++) {
    leg.rig.clock.advance(61_000)
    await leg.turn(1)
    steps.push(leg.peer.rows.get(late.transfer_id)?.chain_step ?? 'gone')
  }
  expect(leg.peer.rows.get(late.transfer_id)).toMatchObject({ chain_step: 'failed', reason: 'NoLeg', open: false })
  expect(steps).not.toContain('seen')
  expect(await views(vault).legReturned()).toBe(0n)
})

test('dry runs report the steps that they would take, and change nothing', async () => {
  const vault = await leg.follow(400n * USDC)
  const lines: Record<string, unknown>[] = []
  const note = (line: Record<string, unknown>) => void lines.push(line)
  const log = { info: note, warn: note, error: note, debug: () => undefined } as unknown as Log
  const dry = { moverDryRun: true, reconcileDryRun: true }
  const run = async (job: 'legMover' | 'legReconcile') =>
    jobs[job]({ ...(await leg.rig.context(dry)), log })(AbortSignal.timeout(600_000))
  await run('legMover')
  expect(lines).toEqual([{ job: 'legMover', dry: true, do: 'fund', public_id: vault.publicId, amount_usdc: '200' }])
  expect(leg.peer.rows.size).toBe(0)
  await leg.rig.run('legMover')
  lines.length = 0
  await run('legMover')
  expect(lines).toMatchObject([{ job: 'legMover', dry: true, do: 'fund_leg', kind: 'fund' }])
  expect(await kinds()).toEqual([])
})

test('no log line, row or error contains the key of the pool, and its start checks name what differs', async () => {
  const lines: string[] = []
  const write = (...line: unknown[]) => void lines.push(inspect(line, { depth: 12, showHidden: true }))
  const log = { info: write, warn: write, error: write, debug: write } as unknown as Log
  await leg.follow(400n * USDC)
  for (let round = 0; round < 6; round++) {
    await jobs.legMover({ ...(await leg.rig.context()), log })(AbortSignal.timeout(600_000))
    await leg.rig.run('send')
    await leg.chain.anvil.mine(1)
  }
  const stored = await leg.rig.pool.any(
    sql.type(z.object({ text: z.string() }))`SELECT t::text AS text FROM transaction t`,
  )
  for (const text of [...lines, ...stored.map(({ text }) => text), ...[...leg.peer.bodies.values()].flat()])
    expect(text).not.toContain(POOL_KEY.slice(2))

  const settings = (more: Record<string, string>) =>
    loadSettings(keeperSettings, { ...legEnvironment(leg.chain), ...more })
  expect(() => openPool(settings({ HUB_HL_NETWORK: 'mainnet' }))).toThrow(
    'HUB_HL_TEST_POOL_KEY is for the test network',
  )
  expect(() => openPool(settings({ HUB_HL_TEST_POOL_ADDRESS: wallets.owner.address }))).toThrow(
    /^pool_address_mismatch: /,
  )
  const environment = {
    ...leg.rig.stack.environmentOf('keeper'),
    ...environmentOf(leg.chain, legEnvironment(leg.chain)),
  }
  await expect(start({ ...environment, HUB_TEST_LEG_GATEWAY: leg.chain.at('usdc') })).rejects.toThrow()
  await expect(start({ ...environment, HUB_USDC_ADDRESS: leg.chain.at('venue') })).rejects.toThrow(
    'Leg money is not configured consistently',
  )
})

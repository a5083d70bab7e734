import { sql } from '@svc/postgres'
import { eventually, opened, refusalOf } from '@svc/testing'
import { pad, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  agent,
  buyCall,
  CHAIN_ID,
  owner,
  startSeededRig,
  txHash,
  VENUE,
  walletOf,
  type SeededRig,
} from '../rigs/seeded-rig.ts'

const rig = opened(() => startSeededRig())

const report = (agent_id: number, input: object = {}, who = agent(agent_id), key?: string) =>
  rig.as(who, key).reportTransfer({
    agent_id,
    chain_id: CHAIN_ID,
    asset: 'USDC',
    amount: '12.5',
    tx_hash: txHash(),
    direction: 'in',
    ...input,
  } as never)
const usdcOf = async (agent_id: number) => {
  const { items } = await rig.as(agent(agent_id)).readBalances({ agent_id })
  return items.find(({ asset, chain_id }) => asset === 'USDC' && chain_id === CHAIN_ID)
}

const counted = z.object({ n: z.number() })
const stored = z.object({ state: z.string() })

describe('a transfer report', () => {
  test('is in transit until the chain shows its movement, and again after a reorganisation', async () => {
    const tx_hash = txHash()
    const first = await report(41, { tx_hash, eta_seconds: 60 }, agent(41), 'transfer-1')
    expect(first.transfer).toMatchObject({ state: 'in_transit', reason: 'waiting_for_chain', amount: '12.5' })
    expect(await report(41, { tx_hash, eta_seconds: 60 }, agent(41), 'transfer-1')).toEqual(first)
    expect(await refusalOf(report(41, { tx_hash }))).toMatchObject({ status: 409, code: 'hub_transfer_reported' })
    expect(await usdcOf(41)).toMatchObject({ in_transit: '12.5', delivered: '0' })
    const movement = { from: VENUE, to: walletOf(41), amount: '12500000' }
    rig.world.transactions.set(tx_hash, {
      state: 'mined',
      block_time: '2026-11-21T10:00:00.000Z',
      transfers: [movement],
    })
    await rig.tellConfirmed({ tx_hash })
    await eventually(async () => (await usdcOf(41))?.delivered === '12.5')
    await rig.tellConfirmed({ tx_hash, revision: 2, canonical: false })
    await eventually(async () => (await usdcOf(41))?.in_transit === '12.5')
  })

  test('of a transaction that is already confirmed is delivered at once', async () => {
    const tx_hash = txHash()
    const transfers = [{ from: walletOf(47), to: VENUE, amount: '2000000' }]
    const block_time = '2026-11-21T09:59:00.000Z'
    rig.world.transactions.set(tx_hash, { state: 'mined', confirmed: true, block_time, transfers })
    expect(await report(47, { tx_hash, amount: '2', direction: 'out' })).toMatchObject({
      transfer: { state: 'delivered', reason: null, delivered_at: block_time },
    })
    expect(await report(47, { tx_hash, amount: '2' })).toMatchObject({ transfer: { reason: 'no_such_movement' } })
  })

  test.each([
    { look: 1, told: 'confirmed', canonical: true, state: 'delivered' },
    { look: 2, told: 'confirmed', canonical: true, state: 'delivered' },
    { look: 1, told: 'orphaned', canonical: false, state: 'in_transit' },
    { look: 2, told: 'orphaned', canonical: false, state: 'in_transit' },
  ])('is $state if the chain says "$told" during read $look of its transaction', async ({ look, canonical, state }) => {
    const tx_hash = txHash()
    const transfers = [{ from: VENUE, to: walletOf(48), amount: '12500000' }]
    const mined = { state: 'mined', block_time: '2026-11-21T10:00:00.000Z', transfers } as const
    rig.world.transactions.set(tx_hash, { ...mined, confirmed: !canonical })
    const heard = async () => (await rig.pool.one(sql.type(counted)`SELECT count(*) AS n FROM inbox`)).n
    const before = await heard()
    const waits = () => rig.pool.exists(sql.unsafe`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)
    let looks = 0
    rig.world.afterLook = async () => {
      looks += 1
      if (looks !== look) return
      rig.world.transactions.set(tx_hash, canonical ? { ...mined, confirmed: true } : {})
      await rig.tellConfirmed({ tx_hash, canonical, ...(canonical ? {} : { revision: 2 }) })
      // What is told has been heard, or waits for the report.
      await eventually(async () => (await heard()) > before || (await waits()))
    }
    await report(48, { tx_hash })
    rig.world.afterLook = async () => {}
    await eventually(async () => (await heard()) > before)
    const found = await rig.pool.one(sql.type(stored)`SELECT state FROM transfer WHERE tx_hash = ${tx_hash}`)
    expect(found).toEqual({ state })
  })

  test('is not delivered by another amount, another party, or a movement that delivered another transfer', async () => {
    const tx_hash = txHash()
    await report(42, { tx_hash, amount: '5' })
    await report(42, { tx_hash, amount: '7' })
    await report(43, { tx_hash, amount: '5' })
    await report(43, { tx_hash, amount: '5', direction: 'out' })
    const transfers = [{ from: walletOf(43), to: walletOf(42), amount: '5000000' }]
    rig.world.transactions.set(tx_hash, { state: 'mined', block_time: '2026-11-21T10:00:00.000Z', transfers })
    await rig.tellConfirmed({ tx_hash })
    await eventually(async () => (await usdcOf(42))?.delivered === '5')
    expect(await usdcOf(42)).toMatchObject({ in_transit: '7' })
    // One movement delivers one transfer: that of agent 42 was told first.
    expect(await usdcOf(43)).toMatchObject({ delivered: '0', in_transit: '10' })
  })

  test('is refused while 50 of the last hour are searched; delivered transfers and those of other agents do not count', async () => {
    const transfers = [{ from: VENUE, to: walletOf(55), amount: '12500000' }]
    const arrived = txHash()
    rig.world.transactions.set(arrived, {
      state: 'mined',
      confirmed: true,
      block_time: '2026-11-21T09:59:00.000Z',
      transfers,
    })
    await report(55, { tx_hash: arrived })
    for (let n = 0; n < 50; n++) await report(55, { tx_hash: txHash() })
    expect(await refusalOf(report(55, { tx_hash: txHash() }))).toMatchObject({ status: 429, code: 'rate_limited' })
    await report(56, { tx_hash: txHash() })
    rig.clock.advance(3_600_000)
    await report(55, { tx_hash: txHash() })
  })

  test('of a chain or asset that is not read has that as its reason', async () => {
    expect(await report(44, { chain_id: 1 })).toMatchObject({ transfer: { reason: 'chain_not_read' } })
    expect(await report(44, { asset: 'WETH', amount: '0.000000000000000001' })).toMatchObject({
      transfer: { reason: 'asset_not_read', amount: '0.000000000000000001' },
    })
  })

  test('of the greatest amount can be reported repeatedly: the balance is the sum', async () => {
    const amount = `${'9'.repeat(41)}.${'9'.repeat(18)}`
    const contract = `0x${'Ab'.repeat(20)}`
    for (const asset of [contract, contract.toLowerCase()]) await report(57, { chain_id: 1, asset, amount })
    const { items } = await rig.as(agent(57)).readBalances({ agent_id: 57 })
    expect(items.filter(({ chain_id }) => chain_id === 1)).toMatchObject([
      { asset: contract.toLowerCase(), in_transit: `1${'9'.repeat(41)}.${'9'.repeat(17)}8` },
    ])
  })

  test.each([
    { amount: '0' },
    { amount: '-1' },
    { amount: '1e3' },
    { amount: '0.0000001' },
    { direction: 'up' },
    { tx_hash: '0x1' },
  ])('with %j is refused', async (input) => {
    expect(await refusalOf(report(45, input))).toMatchObject({ status: 400, code: 'invalid_request' })
  })

  test('is accepted from the agent only', async () => {
    expect(await refusalOf(report(45, {}, agent(46)))).toMatchObject({ status: 404, code: 'not_your_agent' })
  })
})

test('balances distinguish free and held money, in the wallet and in vaults', async () => {
  const mandate = await rig.newMandate()
  await rig.as(agent(21)).prepareExecution({
    public_id: mandate.publicId,
    target: VENUE,
    data: buyCall(1),
    approve_amount_usdc: '45',
  })
  rig.world.dryRun = { ok: true, revert: null, data: pad(toHex(3_000_000n), { size: 32 }) }
  const { items } = await rig.as(owner(11)).readBalances({ agent_id: 21 })
  expect(items[0]).toMatchObject({ idle: '458', idle_in_wallet: '3', idle_in_vaults: '455', reserved: '45' })
  rig.world.dryRun = { ok: false, revert: null }
  expect(await usdcOf(21)).toMatchObject({ idle: null, idle_in_wallet: null, idle_in_vaults: '455' })
})

test("offers are the mandates that wait for the agent's confirmation", async () => {
  const waiting = await rig.newMandate({ agentId: 51 })
  await rig.newMandate({ agentId: 51 })
  await rig.pool.query(sql.unsafe`UPDATE mandate SET accepted_at = NULL WHERE id = ${waiting.id}`)
  const offers = () => rig.as(agent(51)).listOffers({ agent_id: 51 })
  expect((await offers()).items.map(({ public_id }) => public_id)).toEqual([waiting.publicId])
  await rig.as(agent(51)).acceptMandate({ public_id: waiting.publicId })
  expect(await offers()).toEqual({ items: [], next_cursor: null })
  expect(await refusalOf(rig.as(agent(51)).listOffers({ agent_id: 51, cursor: 'x' }))).toMatchObject({
    code: 'invalid_request',
  })
})

test('activity merges steps of mandates, transfers and Cherry, newest first, and paging loses no item of an instant', async () => {
  const mandate = await rig.newMandate({ agentId: 61 })
  for (const note of ['0', '1', '2'])
    await rig.as(agent(61)).reportEvent({
      public_id: mandate.publicId,
      kind: 'note',
      note,
      occurred_at: rig.clock.now().toISOString(),
    })
  rig.clock.advance(1_000)
  await report(61)
  await rig.tellCherry({ account_id: 62, amount: -9, transfer_id: 6_200 })
  await rig.tellCherry({ account_id: 61, amount: -3, transfer_id: 6_100 })
  const read = (more: object) => rig.as(agent(61)).listActivity({ agent_id: 61, limit: 2, ...more })
  const cherry = await eventually(async () => {
    const found = (await read({ limit: 100 })).items.find(({ what }) => what === 'cherry')
    if (found === undefined) throw new Error('the movement of Cherry is not told yet')
    return found
  })
  expect(cherry).toMatchObject({
    kind: 'paid_read',
    cherry_transfer_id: 6_100,
    body: { amount: -3, reference: 'read:6100' },
  })
  const moved = async () => (await read({ limit: 100 })).items.filter(({ what }) => what === 'transfer')
  expect(await moved()).toMatchObject([
    { kind: 'in_transit', body: { asset: 'USDC', amount: '12.5', direction: 'in' } },
  ])

  const first = await read({})
  const second = await read({ cursor: first.next_cursor })
  const third = await read({ cursor: second.next_cursor })
  const seen = [first, second, third]
    .flatMap(({ items }) => items)
    .map(({ what, body }) => `${what} ${typeof body['note'] === 'string' ? body['note'] : ''}`)
  expect(seen.toSorted()).toEqual(['cherry ', 'event 0', 'event 1', 'event 2', 'transfer '])
  expect(seen.filter((one) => one.startsWith('event'))).toEqual(['event 2', 'event 1', 'event 0'])
  expect(third.next_cursor).toBeNull()
  expect(await refusalOf(read({ cursor: 'x' }))).toMatchObject({ code: 'invalid_request' })
  await report(61, { asset: 'ETH', amount: '12345678901234567890.000000000000000001' })
  expect((await moved()).map(({ body }) => body['amount'])).toContain('12345678901234567890.000000000000000001')
})

describe('a deposit to the wallet of an agent', () => {
  const deposits = async (id: number) =>
    (await rig.as(agent(id)).listActivity({ agent_id: id, limit: 100 })).items.filter(({ what }) => what === 'balance')
  const ask = (id: number) => rig.as(agent(id)).readDepositAddress({ agent_id: id, chain_id: CHAIN_ID })

  test('is listed in its activity in its newest state, once the address was requested', async () => {
    const foreign = txHash()
    await rig.tellDeposit({ tx_hash: foreign, address: walletOf(79), status: 'pending' })
    expect(await ask(71)).toMatchObject({ address: walletOf(71), watched: true })
    expect(await ask(71)).toMatchObject({ watched: true })
    expect(rig.world.watched).toContain(walletOf(71))
    const [tx_hash, other] = [txHash(), txHash()]
    await rig.tellDeposit({ tx_hash, address: walletOf(71), status: 'confirmed', revision: 2 })
    await rig.tellDeposit({ tx_hash, address: walletOf(71), status: 'pending', revision: 1 })
    await rig.tellDeposit({
      tx_hash: other,
      address: walletOf(71),
      status: 'pending',
      amount: '1',
      transfer_ordinal: 3,
    })
    await rig.tellDeposit({
      tx_hash: other,
      address: walletOf(71),
      status: 'orphaned',
      amount: '1',
      transfer_ordinal: 3,
      revision: 2,
    })
    await eventually(async () => (await deposits(71)).some(({ kind }) => kind === 'deposit_orphaned'))
    const found = await deposits(71)
    expect(found).toHaveLength(2)
    expect(found.find(({ tx_hash: of }) => of === tx_hash)).toMatchObject({
      kind: 'deposit_confirmed',
      body: { chain_id: CHAIN_ID, amount: '5', from: VENUE },
    })
    expect(found.find(({ tx_hash: of }) => of === other)).toMatchObject({ body: { amount: '0.000001' } })
    expect(await rig.pool.exists(sql.unsafe`SELECT 1 FROM deposit WHERE tx_hash = ${foreign}`)).toBe(false)
  })

  test('is paged together with other activity of its instant', async () => {
    await ask(72)
    const hashes = [txHash(), txHash(), txHash()]
    for (const tx_hash of hashes) await rig.tellDeposit({ tx_hash, address: walletOf(72), status: 'confirmed' })
    await eventually(async () => (await deposits(72)).length === 3)
    const seen: unknown[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await rig
        .as(agent(72))
        .listActivity({ agent_id: 72, limit: 1, ...(cursor === undefined ? {} : { cursor }) })
      seen.push(...page.items.map(({ tx_hash }) => tx_hash))
      cursor = page.next_cursor
    }
    expect(seen).toEqual(hashes.toSorted().toReversed())
  })

  test('is not announced as watched while the chain cannot be watched', async () => {
    rig.world.configured = false
    expect(await ask(73)).toMatchObject({ watched: false, detail: expect.stringContaining('ask again') })
    rig.world.configured = true
    expect(await ask(73)).toMatchObject({ watched: true })
  })
})

test('only an agent and its paired owner can read its balances, offers and activity', async () => {
  const address = (who: Parameters<SeededRig['as']>[0], agent_id = 21) =>
    rig.as(who).readDepositAddress({ agent_id, chain_id: CHAIN_ID })
  expect(await address(owner(11))).toMatchObject({ address: walletOf(21), custody: false, watched: true })
  expect(await rig.as(agent(21)).readDepositAddress({ agent_id: 21, chain_id: 1 })).toMatchObject({ watched: false })
  for (const [who, id] of [
    [owner(12), 21],
    [agent(22), 21],
    [owner(11), 999],
  ] as const)
    expect(await refusalOf(address(who, id))).toMatchObject({ status: 404, code: 'not_your_agent' })
  for (const who of [owner(12), agent(22)]) {
    expect(await refusalOf(rig.as(who).readBalances({ agent_id: 21 }))).toMatchObject({ code: 'not_your_agent' })
    expect(await refusalOf(rig.as(who).listOffers({ agent_id: 21 }))).toMatchObject({ code: 'not_your_agent' })
    expect(await refusalOf(rig.as(who).listActivity({ agent_id: 21 }))).toMatchObject({ code: 'not_your_agent' })
  }
})

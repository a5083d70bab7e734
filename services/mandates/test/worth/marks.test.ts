import { mandates } from '@svc/contracts/mandates'
import { sql } from '@svc/postgres'
import { clientOf } from '@svc/service'
import { eventually, opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { owner, startSeededRig, type TestMandate } from '../rigs/seeded-rig.ts'

const rig = opened(() => startSeededRig({}, '2026-11-18T10:00:00.000Z'))
const bus = opened(() => rig.stack.nats.connect('keeper'))

const keeper = () => clientOf(bus, 'keeper', mandates)
const listed = async () => {
  const all = []
  for (let after: string | undefined; ;) {
    const { vaults } = await keeper().listVaultsToMark({ limit: 2, ...(after === undefined ? {} : { after }) })
    all.push(...vaults)
    after = vaults.at(-1)?.public_id
    if (after === undefined) return all
  }
}
const rowAt = (at: string, worth: string | null) => ({
  at,
  worth_usdc: worth,
  vault_usdc: '10',
  unbooked_usdc: '0',
  positions_usdc: worth === null ? null : '0',
  leg_usdc: null,
  source: 'keeper' as const,
  block_number: 7,
  withheld_reason: worth === null ? 'position_without_price' : null,
  positions: worth === null ? null : [{ asset: 'BTC', units: '0.000829', worth_usdc: '2.5' }],
})
const store = ({ publicId }: TestMandate, at: string, worth: string | null) =>
  keeper().storeWorth({ rows: [{ public_id: publicId, row: rowAt(at, worth) }] })
const stateIs = (mandate: TestMandate, state: string, since: string) =>
  rig.pool.query(
    sql.unsafe`UPDATE mandate SET state = ${state}, state_since = ${since}, expires_at = NULL WHERE id = ${mandate.id}`,
  )

test('the keeper can list every vault to mark, page by page, with the newest row of its series', async () => {
  const [first, second, third] = [await rig.newMandate(), await rig.newMandate(), await rig.newMandate()]
  await rig.newMandate({ vaultless: true })
  await store(first, '2026-11-18T09:00:00.000Z', '10')
  await store(first, '2026-11-18T09:30:00.000Z', null)
  expect(await listed()).toEqual([
    {
      public_id: first.publicId,
      chain_id: 31_337,
      vault: first.vault,
      state: 'working',
      newest: { at: '2026-11-18T09:30:00.000Z', worth_usdc: null, withheld_reason: 'position_without_price' },
    },
    expect.objectContaining({ public_id: second.publicId, newest: null }),
    expect.objectContaining({ public_id: third.publicId, newest: null }),
  ])
  await rig.pool.query(sql.unsafe`UPDATE vault SET canonical = false WHERE mandate_id = ${second.id}`)
  await stateIs(third, 'stopped', '2026-11-18T09:00:00.000Z')
  expect((await listed()).map(({ public_id, state }) => [public_id, state])).toEqual([
    [first.publicId, 'working'],
    [third.publicId, 'stopped'],
  ])
})

test('a closed mandate is listed until a row after its closing is stored', async () => {
  const mandate = await rig.newMandate()
  const isListed = async () => (await listed()).some(({ public_id }) => public_id === mandate.publicId)
  await stateIs(mandate, 'closed', '2026-11-18T09:00:00.000Z')
  expect(await isListed()).toBe(true)
  await store(mandate, '2026-11-18T08:59:59.000Z', '380')
  expect(await isListed()).toBe(true)
  await store(mandate, '2026-11-18T09:00:05.000Z', '0')
  expect(await isListed()).toBe(false)
})

test('stores a row of an earlier keeper, without unbooked_usdc and positions, with null', async () => {
  const mandate = await rig.newMandate()
  const at = '2026-11-21T07:00:00.000Z'
  const { unbooked_usdc: _untold, positions: _unread, ...row } = rowAt(at, '10')
  await keeper().storeWorth({ rows: [{ public_id: mandate.publicId, row }] })
  const { items } = await rig.as(owner(11)).readWorthSeries({ public_id: mandate.publicId, window: 'all' })
  expect(items).toMatchObject([{ at, worth_usdc: '10', unbooked_usdc: null, positions: null }])
})

test('rows are stored once for each mandate and time, and unknown mandates are listed', async () => {
  const mandate = await rig.newMandate()
  const unknown = `mdt_${'0'.repeat(32)}`
  const at = '2026-11-18T09:45:00.000Z'
  const rows = [
    { public_id: mandate.publicId, row: rowAt(at, '12.5') },
    { public_id: unknown, row: rowAt(at, '1') },
  ]
  expect(await keeper().storeWorth({ rows })).toEqual({ ok: true, stored: 1, unknown: [unknown] })
  expect(await keeper().storeWorth({ rows })).toMatchObject({ stored: 0 })
  const { items } = await rig.as(owner(mandate.ownerId)).readWorthSeries({ public_id: mandate.publicId })
  expect(items).toEqual([rowAt(at, '12.5')])
})

test('marks of blocks that a reorganisation replaced are deleted, even if they arrive after it was noticed', async () => {
  const [mandate, elsewhere] = [await rig.newMandate(), await rig.newMandate()]
  await rig.pool.query(sql.unsafe`UPDATE vault SET chain_id = 1 WHERE mandate_id = ${elsewhere.id}`)
  // Events carry the time of the database.
  const now = Date.now()
  const mark = (seconds: number, worth: string, block_number: number, { publicId }: TestMandate = mandate) => ({
    public_id: publicId,
    row: { ...rowAt(new Date(now + 1000 * seconds).toISOString(), worth), block_number },
  })
  const series = async ({ id }: TestMandate) =>
    (
      await rig.pool.any(sql.type(z.object({ worth: z.string(), block_number: z.number() }))`
        SELECT worth, block_number FROM worth WHERE mandate_id = ${id} ORDER BY at`)
    ).map(({ worth, block_number }) => [BigInt(worth) / 1_000_000n, block_number])
  const rows = [mark(-4, '100', 500), mark(-3, '130', 503), mark(-2, '131', 504), mark(-2, '7', 900, elsewhere)]
  expect(await keeper().storeWorth({ rows })).toMatchObject({ stored: 4 })
  await rig.tellReorganised(500)
  await eventually(async () => expect(await series(mandate)).toEqual([[100n, 500]]))
  const live = await rig.as(owner(11)).readLive({ public_id: mandate.publicId })
  expect(live.worth).toMatchObject({ worth_usdc: '100', block_number: 500 })

  const late = [mark(-1, '132', 504), mark(-0.5, '99', 499), mark(60, '101', 504)]
  expect(await keeper().storeWorth({ rows: late })).toMatchObject({ stored: 2, unknown: [] })
  expect(await series(mandate)).toEqual([
    [100n, 500],
    [99n, 499],
    [101n, 504],
  ])
  expect(await series(elsewhere)).toEqual([[7n, 900]])
})

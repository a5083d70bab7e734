import { eventTopics, read } from '@svc/chain'
import { openPool, sql } from '@svc/postgres'
import { eventually, opened, testProcesses } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { calls, chainRig, environmentOf, startRig, USDC, wallets, type TestVault } from '../rig.ts'

const long = process.env['TEST_LONG'] === '1'
const ROUNDS = long ? 30 : 6

const chain = opened(() => chainRig())
const rig = opened(() => startRig(chain))
const superuser = opened(() => openPool(rig.stack.databaseOf('keeper').superuserUrl, { size: 1 }))
const PACE = { HUB_KEEPER_MARK_SEC: '1', SVC_KEEPER_SEND_SEC: '1', SVC_INTERNAL_PORT: '0', SVC_LOG_LEVEL: 'silent' }
const processes = testProcesses(new URL('../../src/main.ts', import.meta.url), () => ({
  ...rig.stack.environmentOf('keeper'),
  ...environmentOf(chain, PACE),
}))

const row = z.object({
  id: z.number(),
  vault: z.string(),
  kind: z.string(),
  nonce: z.number().nullable(),
  outcome: z.string().nullable(),
})
const transactions = () =>
  superuser.any(sql.type(row)`SELECT id, vault, kind, nonce, outcome FROM keeper.transaction ORDER BY id`)
const allEnded = async () => (await transactions()).every(({ outcome }) => outcome !== null)

/** Ends every session of the processes, the one by which they lead as well, as a restart of Postgres does. */
const cutOff = () =>
  superuser.query(sql.unsafe`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`)
const used = () => chain.chain.client.getTransactionCount({ address: wallets.keeper.address })

/** Moments in the life of a decision at which a process dies; each is waited for from where the round begins. */
const moments: readonly ((from: { rows: number; given: number; used: number }) => Promise<boolean>)[] = [
  async ({ rows }) => (await transactions()).length > rows,
  async ({ given }) => (await transactions()).filter(({ nonce }) => nonce !== null).length > given,
  async (from) => (await used()) > from.used,
]

async function marksOf({ address }: TestVault): Promise<readonly bigint[]> {
  const topics = eventTopics('vault', ['Marked'])
  const logs = await chain.chain.client.request({
    method: 'eth_getLogs',
    params: [{ address, fromBlock: '0x0', toBlock: 'latest', topics: [[...topics]] }],
  })
  return logs.map(({ data }) => BigInt(`0x${data.slice(66, 130)}`))
}

async function expectEachNonceOnce(ended: readonly z.output<typeof row>[]): Promise<void> {
  const nonces = ended.flatMap(({ nonce }) => nonce ?? [])
  expect(nonces.toSorted((a, b) => a - b)).toEqual(Array.from({ length: await used() }, (_, nonce) => nonce))
}

test('two processes, killed or cut off from Postgres without warning between deciding, signing, sending and seeing it mined, send each decision once', async () => {
  const vaults = [await chain.vault(400n * USDC), await chain.vault(400n * USDC), await chain.vault(400n * USDC)]
  for (const vault of vaults) {
    await chain.buy(vault, 100n * USDC)
    rig.follow(vault)
  }
  let standing = await processes.start()
  for (let round = 0; round < ROUNDS; round++) {
    const rows = await transactions()
    const given = rows.filter(({ nonce }) => nonce !== null).length
    const from = { rows: rows.length, given, used: await used() }
    // Always further than the last mark, so that there is something to decide.
    await chain.price(BigInt(105 + 5 * round))
    const next = await processes.start()
    await eventually(() => moments[round % moments.length]?.(from) ?? false, { everyMs: 2 })
    if (round % 2 === 1) await cutOff()
    await processes.kill(standing)
    standing = next
  }
  const last = BigInt(110 + 5 * ROUNDS)
  await chain.price(last)
  await eventually(async () => {
    for (const { address } of vaults)
      expect(await read(chain.chain).vault(address).lastWorth()).toBeGreaterThan((298n + last) * USDC)
  })
  await eventually(allEnded)
  expect(await processes.stop(standing)).toBe(0)

  const ended = await transactions()
  await expectEachNonceOnce(ended)
  const marks = (await Promise.all(vaults.map(marksOf))).flat()
  expect(marks).toHaveLength(ended.filter(({ outcome }) => outcome === 'done').length)
  for (const vault of vaults) {
    const times = await marksOf(vault)
    expect(new Set(times).size).toBe(times.length)
  }
})

test('a keeper whose NATS is killed and started again goes on marking and settling by its schedule, sends nothing twice and tells each worth once', async () => {
  const { faults } = rig.stack.nats
  const { followed, rows } = rig.neighbours
  followed.clear()
  rows.length = 0
  const earlier = (await transactions()).length
  await chain.price(100n)
  const open = await chain.vault(400n * USDC)
  await chain.buy(open, 100n * USDC)
  const closing = [await chain.vault(400n * USDC), await chain.vault(400n * USDC)]
  for (const vault of [open, ...closing]) rig.follow(vault)
  const child = await processes.start()
  let percent = 100n
  const marked = async () =>
    expect(await read(chain.chain).vault(open.address).lastWorth()).toBeGreaterThan((298n + percent) * USDC)
  const isTold = () =>
    rows.some((one) => one.public_id === open.publicId && Number(one.worth_usdc) > 298 + Number(percent))
  await eventually(marked)
  for (const vault of closing) {
    await eventually(allEnded)
    percent += 10n
    const cut = Promise.withResolvers<void>()
    // The keeper waits to hear that its rows were stored.
    rig.neighbours.afterStoring = async () => {
      if (!isTold()) return
      rig.neighbours.afterStoring = null
      await faults?.kill()
      cut.resolve()
    }
    await chain.price(percent)
    await cut.promise
    // What was decided before is sent without NATS.
    await eventually(marked)
    await eventually(allEnded)
    percent += 10n
    await chain.price(percent)
    await chain.send(wallets.owner, calls.vault(vault.address).stop())
    rig.follow(vault, 'stopped')
    await faults?.start()
    await eventually(marked)
    await eventually(() => read(chain.chain).vault(vault.address).settled())
    await eventually(isTold)
  }
  await eventually(allEnded)
  expect(await processes.stop(child)).toBe(0)

  await expectEachNonceOnce(await transactions())
  const done = (await transactions()).slice(earlier).filter(({ outcome }) => outcome === 'done')
  const settled = done.filter(({ kind }) => kind === 'settle').map(({ vault }) => vault)
  expect(settled.toSorted()).toEqual(closing.map(({ address }) => address).toSorted())
  const marks = done.filter(({ kind, vault }) => kind === 'mark' && vault === open.address)
  expect(await marksOf(open)).toHaveLength(marks.length)
  const told = rows.map(({ public_id, worth_usdc }) => `${public_id}: ${worth_usdc}`)
  expect(told.filter((one, at) => told.indexOf(one) !== at)).toEqual([])
})

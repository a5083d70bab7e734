import { eventTopics, read } from '@svc/chain'
import { openPool, sql } from '@svc/postgres'
import { eventually, opened, testProcesses } from '@svc/testing'
import { toHex, type Address } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { calls, chainRig, environmentOf, KEEPER_KEY, startRig, USDC, wallets, type TestVault } from '../rig.ts'

const nextKeeper = mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: 8 })
const NEXT_KEY = toHex(nextKeeper.getHdKey().privateKey ?? new Uint8Array())

const chain = opened(() => chainRig())
const rig = opened(() => startRig(chain))
const superuser = opened(() => openPool(rig.stack.databaseOf('keeper').superuserUrl, { size: 1 }))

/** The key that processes are started with. */
let key: string = KEEPER_KEY
const PACE = { HUB_KEEPER_MARK_SEC: '1', SVC_KEEPER_SEND_SEC: '1', SVC_INTERNAL_PORT: '0', SVC_LOG_LEVEL: 'silent' }
const processes = testProcesses(new URL('../../src/main.ts', import.meta.url), () => ({
  ...rig.stack.environmentOf('keeper'),
  ...environmentOf(chain, { ...PACE, HUB_KEEPER_MARK_DEV_KEY: key }),
}))

const row = z.object({ sender: z.string(), nonce: z.number().nullable(), outcome: z.string().nullable() })
const transactions = () =>
  superuser.any(sql.type(row)`SELECT sender, nonce, outcome FROM keeper.transaction ORDER BY id`)
const used = (address: Address) => chain.chain.client.getTransactionCount({ address })
const mayMark = async ({ address }: { address: Address }) => {
  for (const factory of ['factory', 'factory_v2'] as const)
    await chain.send(wallets.admin, calls.factory(chain.at(factory)).setKeeper({ k: address }))
}

/** Who marked a vault with which worth, oldest first. */
async function marksOf({ address }: TestVault): Promise<readonly { readonly by: string; readonly worth: bigint }[]> {
  const logs = await chain.chain.client.request({
    method: 'eth_getLogs',
    params: [{ address, fromBlock: '0x0', toBlock: 'latest', topics: [[...eventTopics('vault', ['Marked'])]] }],
  })
  return logs.map(({ data, topics }) => ({
    by: `0x${(topics[1] ?? '').slice(26)}`,
    worth: BigInt(data.slice(0, 66)),
  }))
}

/** Each account has used each of its nonces for one transaction. */
async function expectEachNonceOnce(first: ReadonlyMap<Address, number>): Promise<void> {
  const rows = await transactions()
  for (const [address, from] of first) {
    const nonces = rows.filter(({ sender }) => sender === address).flatMap(({ nonce }) => nonce ?? [])
    const expected = Array.from({ length: (await used(address)) - from }, (_, at) => from + at)
    expect(nonces.toSorted((a, b) => a - b)).toEqual(expected)
  }
}
const usedBefore = async () =>
  new Map([
    [wallets.keeper.address, await used(wallets.keeper.address)],
    [nextKeeper.address, await used(nextKeeper.address)],
  ])

afterEach(async () => {
  chain.proxy.heal()
  await chain.anvil.request('evm_setAutomine', [true])
  await superuser.query(sql.unsafe`DELETE FROM keeper.transaction`)
  rig.neighbours.followed.clear()
  await mayMark(wallets.keeper)
})

test('what the former key of the keeper has under way ends with the next one: one that waits, one in a block and one that the network lost, and each vault is marked once', async () => {
  const next = { markDevKey: NEXT_KEY }
  const first = await usedBefore()
  const follow = async () => {
    const vault = await chain.vault(400n * USDC)
    rig.follow(vault)
    return vault
  }
  const [sent, lost, waiting] = [await follow(), await follow(), await chain.vault(400n * USDC)]
  await chain.anvil.request('evm_setAutomine', [false])
  await rig.run('mark')
  await rig.run('send')
  const hashes = await superuser.anyFirst(sql.type(z.object({ tx_hash: z.string() }))`
    SELECT tx_hash FROM keeper.attempt ORDER BY transaction_id`)
  // The network forgets the second one.
  await chain.anvil.request('anvil_dropTransaction', [hashes[1]])
  rig.follow(waiting)
  await rig.run('mark')
  const nonce = first.get(wallets.keeper.address) ?? 0
  const before = [
    { nonce, outcome: null },
    { nonce: nonce + 1, outcome: null },
    { nonce: null, outcome: null },
  ]
  expect(await transactions()).toMatchObject(before)
  await chain.anvil.request('evm_setAutomine', [true])
  await mayMark(nextKeeper)

  // An account that a setting still names waits for its key.
  await rig.run('send', { ...next, cdpAddress: wallets.keeper.address })
  expect(await transactions()).toMatchObject(before)

  // One that is named as the payer of gas drips alone does not wait with its marks.
  const after = { ...next, dripFunderWallet: wallets.keeper.address }
  for (let round = 0; round < 3; round += 1) {
    await rig.run('send', after)
    await rig.run('mark', after)
  }
  await rig.run('send', after)
  await rig.run('send', after)
  const ended = await transactions()
  expect(ended.filter(({ outcome }) => outcome === null)).toEqual([])
  expect(ended.slice(0, 3)).toMatchObject([{ nonce }, { outcome: 'reverted' }, { nonce: null, outcome: 'expired' }])
  for (const vault of [sent, lost, waiting])
    expect((await marksOf(vault)).map(({ worth }) => worth)).toEqual([400n * USDC])
  await expectEachNonceOnce(first)
})

test('the key of the keeper is replaced while prices move: vaults go on being marked, by the next account alone, and no transaction is lost or sent twice', async () => {
  const first = await usedBefore()
  const vaults = [await chain.vault(400n * USDC), await chain.vault(400n * USDC), await chain.vault(400n * USDC)]
  for (const vault of vaults) {
    await chain.buy(vault, 100n * USDC)
    rig.follow(vault)
  }
  let [percent, moves] = [100n, true]
  const moving = (async () => {
    while (moves) {
      percent += 5n
      const marked = async () => (await Promise.all(vaults.map(marksOf))).flat().length
      const before = await marked()
      await chain.price(percent)
      await eventually(async () => !moves || (await marked()) > before)
    }
  })()
  const marksBy = async (address: Address) =>
    (await Promise.all(vaults.map(marksOf))).flat().filter(({ by }) => by === address.toLowerCase())

  key = KEEPER_KEY
  const former = await processes.start()
  await eventually(async () => (await marksBy(wallets.keeper.address)).length >= 3)
  await mayMark(nextKeeper)
  const ofFormer = await marksBy(wallets.keeper.address)
  key = NEXT_KEY
  const next = await processes.start()
  await processes.kill(former)
  await eventually(async () => (await marksBy(nextKeeper.address)).length >= 6)
  moves = false
  await moving
  const last = percent + 20n
  await chain.price(last)
  await eventually(async () => {
    for (const { address } of vaults)
      expect(await read(chain.chain).vault(address).lastWorth()).toBeGreaterThan((298n + last) * USDC)
    expect((await transactions()).filter(({ outcome }) => outcome === null)).toEqual([])
  })
  expect(await processes.stop(next)).toBe(0)

  expect(await marksBy(wallets.keeper.address)).toEqual(ofFormer)
  await expectEachNonceOnce(first)
  const done = (await transactions()).filter(({ outcome }) => outcome === 'done')
  expect((await Promise.all(vaults.map(marksOf))).flat()).toHaveLength(done.length)
})

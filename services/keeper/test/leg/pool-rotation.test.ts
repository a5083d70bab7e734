import { read } from '@svc/chain'
import { signPoolSend } from '@svc/hyperliquid/signing'
import { sql } from '@svc/postgres'
import { opened } from '@svc/testing'
import { toHex } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Settings } from '#context.ts'
import { start } from '#main.ts'
import { calls, environmentOf, USDC, wallets, type TestVault } from '../rig.ts'
import { legEnvironment, OWNER, POOL, POOL_KEY, startLegRig } from './leg-rig.ts'

const nextPool = mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: 9 })
const NEXT = nextPool.address.toLowerCase()
const NEXT_KEY = toHex(nextPool.getHdKey().privateKey ?? new Uint8Array())

const leg = opened(() => startLegRig())
const send = (...of: Parameters<typeof leg.chain.send>) => leg.chain.send(...of)
const views = ({ address }: TestVault) => read(leg.chain.chain).vaultV2(address)
const usdc = () => read(leg.chain.chain).usdc(leg.chain.at('usdc'))
const held = (account: `0x${string}`) => usdc().balanceOf({ account })
const outcomes = () =>
  leg.rig.pool.any(sql.type(z.object({ kind: z.string(), sender: z.string(), outcome: z.string().nullable() }))`
    SELECT kind, sender, outcome FROM transaction ORDER BY id`)

/** Settings that a rotation has changed. */
let changed: Partial<Settings> = {}
const turn = async (times: number) => {
  for (let done = 0; done < times; done += 1) {
    await leg.rig.run('legMover', changed)
    await leg.rig.run('send', changed)
    await leg.chain.anvil.mine(1)
  }
}
const turns = async (vault: TestVault, worth: bigint) => {
  await leg.rig.run('mark', changed)
  await turn(2)
  expect(await views(vault).lastWorth()).toBe(worth)
}

test('the pool of leg money is replaced: what is lent comes home, its money goes to the next pool to the last micro-dollar, vaults of the former gateway are marked and settled and get no leg money, and new ones are served', async () => {
  const lent = await leg.follow(400n * USDC)
  await turn(6)
  expect(leg.transferOf(lent)).toMatchObject({ state: 'delivered', amount_usdc: '200' })
  await send(
    wallets.admin,
    calls.usdc(leg.chain.at('usdc')).mint({ to: wallets.operator.address, amount: 100n * USDC }),
  )

  // 1. Nothing is lent any more; what is out comes home. A vault that nothing was lent to stays without a leg.
  changed = { legFunding: 'off' }
  const idle = await leg.follow(400n * USDC)
  leg.landReturn(lent, 205n * USDC, true)
  await turn(10)
  const former = { gateway: leg.chain.at('leg_gateway'), factory: leg.chain.at('factory_v2') }
  expect(await read(leg.chain.chain).legGateway(former.gateway).totalOutstanding()).toBe(0n)
  expect((await outcomes()).filter(({ outcome }) => outcome === null)).toEqual([])
  const before = { pool: await held(wallets.operator.address), gateway: await held(former.gateway) }
  expect([before, await views(lent).accounted()]).toEqual([{ pool: 95n * USDC, gateway: 0n }, 405n * USDC])

  // 2. The gateway of the next pool, and the money of the former one on the chain and at the venue.
  await leg.chain.newGateway(nextPool.address)
  await send(wallets.operator, calls.usdc(leg.chain.at('usdc')).transfer({ to: nextPool.address, value: before.pool }))
  leg.venue.control('fund', { address: NEXT, amount: '10' })
  const amount = leg.account(POOL)
  const body = await signPoolSend(privateKeyToAccount(POOL_KEY), {
    owner: nextPool.address,
    amountUsdc: String(amount),
    nonce: Date.now(),
    signatureChainId: leg.chain.chain.id,
  })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${leg.venue.url}/exchange`, { method: 'POST', headers, body })
  expect(await answer.json()).toMatchObject({ status: 'ok' })
  expect([leg.account(POOL), leg.account(NEXT)]).toEqual([0, amount + 10])
  leg.peer.pool = NEXT

  // 3. A start with one of the two is refused.
  const environment = { ...leg.rig.stack.environmentOf('keeper'), ...environmentOf(leg.chain), SVC_LOG_LEVEL: 'silent' }
  const next = { HUB_HL_TEST_POOL_KEY: NEXT_KEY, HUB_HL_TEST_POOL_ADDRESS: nextPool.address }
  const contracts = { HUB_TEST_LEG_GATEWAY: former.gateway, HUB_MANDATE_FACTORY_V2_ADDRESS: former.factory }
  await expect(start({ ...environment, ...legEnvironment(leg.chain), ...next, ...contracts })).rejects.toThrow(
    `operator() of the gateway ${former.gateway} is ${wallets.operator.address}, and ${nextPool.address} is expected`,
  )
  changed = {
    poolKey: NEXT_KEY,
    poolAddress: nextPool.address,
    legGatewayAddress: leg.chain.at('leg_gateway'),
    factoryV2Address: leg.chain.at('factory_v2'),
  }
  await (await start({ ...environment, ...legEnvironment(leg.chain), ...next })).stop()

  // 4. The next gateway serves; vaults of the former one get no leg money, for its money would not come back.
  // Also a funding that was decided on before the switch stays undone.
  const funded = [...leg.peer.rows.values()].find(({ kind }) => kind === 'fund') ?? expect.fail('nothing was lent')
  const stale = `ltr_${'b'.repeat(32)}`
  const undone = {
    state: 'planned',
    open: true,
    chain_step: 'none',
    venue_step: 'none',
    tx_hash: null,
    ref: null,
  } as const
  leg.peer.rows.set(stale, {
    ...funded,
    ...undone,
    transfer_id: stale,
    public_id: idle.publicId,
    vault: idle.address,
    nonce: null,
    signed: false,
  })
  const served = await leg.follow(400n * USDC)
  const atOwner = leg.account(OWNER)
  await turn(8)
  expect([await views(served).legOut(), await views(idle).legOut(), await views(lent).legOut()]).toEqual([
    200n * USDC,
    0n,
    0n,
  ])
  expect(leg.account(OWNER) - atOwner).toBe(200)
  expect(leg.peer.rows.get(stale)).toMatchObject({ chain_step: 'failed', reason: 'other_gateway' })
  expect([...leg.peer.rows.values()].map(({ kind, public_id }) => [kind, public_id])).toEqual([
    ['fund', lent.publicId],
    ['return', lent.publicId],
    ['fund', idle.publicId],
    ['fund', served.publicId],
  ])
  await turns(idle, 400n * USDC)
  await turns(lent, 405n * USDC)
  leg.landReturn(served, 210n * USDC, true)
  await turn(10)
  expect(await views(served).accounted()).toBe(410n * USDC)
  expect(await held(nextPool.address)).toBe(before.pool - 10n * USDC)

  await send(wallets.owner, calls.vault(lent.address).stop())
  leg.rig.follow(lent, 'stopped')
  await leg.rig.run('settle', changed)
  await turn(2)
  expect(await views(lent).settled()).toBe(true)
  const rows = await outcomes()
  expect(rows.filter(({ outcome }) => outcome !== 'done')).toEqual([])
  expect(rows.filter(({ kind }) => kind === 'give_back').map(({ sender }) => sender)).toEqual([
    wallets.operator.address,
    nextPool.address,
  ])
})

import { prepare } from '@svc/chain'
import { eventually, opened } from '@svc/testing'
import { getAddress, stringToHex, type Hex, type LocalAccount } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { admin, startChain } from '../chain-peer.ts'
import { agent, agentWallet, bodyAt, owner, ownerWallet, startRig } from '../rig.ts'

const MARKET = stringToHex('GOLD', { size: 32 })
const usd = (amount: number) => BigInt(amount) * 1_000_000n
const [OWNER, AGENT] = [22, 32]
const [me, bot, wallet] = [owner(OWNER), agent(AGENT), ownerWallet(OWNER)]

const chain = opened(() => startChain())
const rig = opened(() => startRig({ chain }))
beforeAll(async () => {
  for (const funded of [wallet, agentWallet(AGENT)])
    await chain.anvil.request('anvil_setBalance', [funded.address, '0xde0b6b3a7640000'])
  const { usdc, venue } = chain.deployment.contracts
  const calls = prepare(chain.chain.id)
  await chain.send(admin, calls.usdc(usdc.address).mint({ to: wallet.address, amount: usd(10_000) }))
  await chain.send(admin, calls.venue(venue.address).setPrice({ m: MARKET, price: usd(1) }))
})

/** The service's clock shows the chain's time and this many seconds more. */
let aheadSec = 0
const syncClock = async () => rig.clock.set(new Date(((await chain.anvil.now()) + aheadSec) * 1000))

async function sent(by: LocalAccount, call: { to: string; data: string } | null | undefined): Promise<Hex> {
  if (call === null || call === undefined) throw new Error('there is no call')
  const hash = await chain.send(by, call)
  await chain.anvil.mine(2)
  await syncClock()
  return hash
}

async function workingMandate() {
  await syncClock()
  const { mandate } = await rig.as(me).createMandate(bodyAt(rig, { agent_id: AGENT }) as never)
  const { public_id } = mandate
  const { typed_data, terms_hash } = await rig.as(me).readTerms({ public_id })
  const signature = await wallet.signTypedData(typed_data as never)
  await rig.as(me).signTerms({ public_id, terms_hash, signature })
  const tx_hash = await sent(wallet, (await rig.as(me).prepareCreation({ public_id })).call)
  await rig.as(me).attachVault({ public_id, tx_hash })
  const { calls, vault } = await rig.as(me).planFunding({ public_id, amount_usdc: '400' })
  await sent(wallet, calls?.approve)
  const deposit = await sent(wallet, calls?.deposit)
  await rig.as(me).recordVaultTransaction({ public_id, kind: 'deposit', tx_hash: deposit })
  return { public_id, vault: getAddress(vault) }
}
type Working = Awaited<ReturnType<typeof workingMandate>>

const buying = (amount: number) => {
  const { venue } = chain.deployment.contracts
  const { data } = prepare(chain.chain.id)
    .venue(venue.address)
    .buy({ m: MARKET, usdcIn: usd(amount), minUnits: 0n })
  return { target: venue.address, data }
}
/** The call straight to the vault, past the guard. */
const direct = ({ vault }: Working, amount: number) =>
  prepare(chain.chain.id)
    .vault(vault)
    .execute({ ...buying(amount), approveAmount: usd(amount) })

async function requested({ public_id }: Working, amount: number) {
  const held = await rig.as(bot).prepareExecution({ public_id, ...buying(amount), approve_amount_usdc: String(amount) })
  if (!('approval' in held)) throw new Error('the call was not held')
  return held.approval.approval_id
}
const approve = ({ public_id }: Working, approval_id: string) =>
  rig.as(me).decideApproval({ public_id, approval_id, decision: 'approve' })
const item = async ({ public_id }: Working, approval_id: string) =>
  (await rig.as(me).listApprovals({ public_id, approval_id })).items[0]
const violations = async ({ public_id }: Working) =>
  (await rig.as(me).readRecord({ public_id, since: '0' })).steps
    .filter(({ kind }) => kind === 'violation')
    .map(({ tx_hash, body }) => [tx_hash, body['reason']])
const telling = (tx: Hex, revision: number, canonical = true) => rig.peer?.tell(tx, revision, canonical)

describe.each([
  ['60 s behind', 60],
  ['60 s ahead of', -60],
])('with the chain %s the service', (_where, seconds) => {
  test('an approved call is accepted and uses its approval once', async () => {
    aheadSec = seconds
    const mandate = await workingMandate()
    const approval_id = await requested(mandate, 45)
    await approve(mandate, approval_id)
    const used = await sent(agentWallet(AGENT), direct(mandate, 45))
    await telling(used, 1)
    const again = await sent(agentWallet(AGENT), direct(mandate, 45))
    await telling(again, 1)
    await eventually(async () => (await violations(mandate)).length > 0)
    expect(await violations(mandate)).toEqual([[again, 'unapproved_execution']])
    expect(await item(mandate, approval_id)).toMatchObject({ status: 'used', used_tx_hash: used })
  })

  test('a call that was mined before its approval is a violation, and leaves the approval open', async () => {
    aheadSec = seconds
    const mandate = await workingMandate()
    const approval_id = await requested(mandate, 45)
    const early = await chain.send(agentWallet(AGENT), direct(mandate, 45))
    await approve(mandate, approval_id)
    await chain.anvil.mine(2)
    await telling(early, 1)
    await eventually(async () => (await violations(mandate)).length > 0)
    expect(await violations(mandate)).toEqual([[early, 'unapproved_execution']])
    expect(await item(mandate, approval_id)).toMatchObject({ status: 'approved' })
  })

  test('a call in the block after the stop in the record is a violation, the one in the block before is not', async () => {
    aheadSec = seconds
    const mandate = await workingMandate()
    const before = await chain.send(agentWallet(AGENT), direct(mandate, 11))
    await rig.as(me).stopMandate({ public_id: mandate.public_id })
    const rogue = await chain.send(agentWallet(AGENT), direct(mandate, 12))
    await chain.anvil.mine(2)
    await telling(before, 1)
    await telling(rogue, 1)
    await eventually(async () => (await violations(mandate)).length > 0)
    expect(await violations(mandate)).toEqual([[rogue, 'executed_after_record_stop']])
  })
})

describe('a reorganisation', () => {
  const head = async () => Number(await chain.anvil.request('eth_blockNumber'))
  const raw = async (hash: Hex) => (await chain.anvil.request('eth_getRawTransactionByHash', [hash])) as Hex

  test('that mines an approved call in a lower block than the one its approval was given on leaves it approved', async () => {
    aheadSec = 0
    const mandate = await workingMandate()
    const approval_id = await requested(mandate, 45)
    await approve(mandate, approval_id)
    const used = await chain.send(agentWallet(AGENT), direct(mandate, 45))
    await telling(used, 1)
    await eventually(async () => (await item(mandate, approval_id))?.status === 'used')
    const signed = await raw(used)
    await telling(used, 2, false)
    await eventually(async () => (await item(mandate, approval_id))?.status === 'approved')
    // Three blocks are replaced, and the call stands in the first of them.
    await chain.anvil.request('anvil_reorg', [3, [[signed, 0]]])
    expect(await head()).toBeGreaterThan(0)
    await telling(used, 3)
    await eventually(async () => (await item(mandate, approval_id))?.status === 'used')
    expect(await violations(mandate)).toEqual([])
  })

  test('that nobody noticed, and that replaced the block an approval was given on, leaves its call approved', async () => {
    const mandate = await workingMandate()
    const approval_id = await requested(mandate, 45)
    await approve(mandate, approval_id)
    const used = await chain.send(agentWallet(AGENT), direct(mandate, 45))
    const signed = await raw(used)
    await chain.anvil.request('anvil_reorg', [3, [[signed, 0]]])
    await chain.anvil.mine(2)
    await telling(used, 1)
    await eventually(async () => (await item(mandate, approval_id))?.status === 'used')
    expect(await violations(mandate)).toEqual([])
  })

  test('that mines a call in a lower block than the stop in the record saw leaves it a violation', async () => {
    const mandate = await workingMandate()
    await rig.as(me).stopMandate({ public_id: mandate.public_id })
    const rogue = await chain.send(agentWallet(AGENT), direct(mandate, 12))
    await telling(rogue, 1)
    await eventually(async () => (await violations(mandate)).length === 1)
    const signed = await raw(rogue)
    await telling(rogue, 2, false)
    await chain.anvil.request('anvil_reorg', [3, [[signed, 0]]])
    await chain.anvil.mine(2)
    await telling(rogue, 3)
    await eventually(async () => (await violations(mandate)).length === 2)
    expect(new Set((await violations(mandate)).map(([, reason]) => reason))).toEqual(
      new Set(['executed_after_record_stop']),
    )
  })
})

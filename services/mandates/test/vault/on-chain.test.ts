import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { prepare } from '@svc/chain'
import { fileReader } from '@svc/service'
import { eventually, opened } from '@svc/testing'
import { getAddress, stringToHex, type Hex, type LocalAccount } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordHash, type RecordEntry } from '#record/rules/record-hash.ts'
import { admin, startChain } from '../chain-peer.ts'
import { agent, agentWallet, bodyAt, owner, ownerWallet, startLifeRig, type LifeRig } from '../rigs/life-rig.ts'

const MARKET = stringToHex('GOLD', { size: 32 })
const usd = (amount: number) => BigInt(amount) * 1_000_000n
const [OWNER, AGENT] = [22, 32]
const [me, bot, wallet] = [owner(OWNER), agent(AGENT), ownerWallet(OWNER)]

let folder: string
const chain = opened(() => startChain())
const rig = opened(() => startLifeRig({ chain }))
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'record-'))
  for (const funded of [wallet, agentWallet(AGENT)])
    await chain.anvil.request('anvil_setBalance', [funded.address, '0xde0b6b3a7640000'])
  const { usdc, venue } = chain.deployment.contracts
  const calls = prepare(chain.chain.id)
  await chain.send(admin, calls.usdc(usdc.address).mint({ to: wallet.address, amount: usd(2_000) }))
  await chain.send(admin, calls.venue(venue.address).setPrice({ m: MARKET, price: usd(1) }))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const sent = async (by: LocalAccount, call: { to: string; data: string } | null | undefined): Promise<Hex> => {
  if (call === null || call === undefined) throw new Error('there is no call')
  const hash = await chain.send(by, call)
  await chain.anvil.mine(2)
  rig.clock.set(new Date((await chain.anvil.now()) * 1000))
  return hash
}

async function workingMandate(): Promise<string> {
  rig.clock.set(new Date((await chain.anvil.now()) * 1000))
  const { mandate } = await rig.as(me).createMandate(bodyAt(rig, { agent_id: AGENT }) as never)
  const { public_id } = mandate
  const { typed_data, terms_hash } = await rig.as(me).readTerms({ public_id })
  const signature = await wallet.signTypedData(typed_data as never)
  await rig.as(me).signTerms({ public_id, terms_hash, signature })
  const tx_hash = await sent(wallet, (await rig.as(me).prepareCreation({ public_id })).call)
  await rig.as(me).attachVault({ public_id, tx_hash })
  const { calls } = await rig.as(me).planFunding({ public_id, amount_usdc: '400' })
  await sent(wallet, calls?.approve)
  const deposit = await sent(wallet, calls?.deposit)
  await rig.as(me).recordVaultTransaction({ public_id, kind: 'deposit', tx_hash: deposit })
  return public_id
}

const tool = fileURLToPath(new URL('../../../../tools/verify-record/main.ts', import.meta.url))
const verify = async (path: string) => {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [tool, path, '--rpc', chain.anvil.url])
    return { code: 0, stdout }
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string }
    return { code, stdout }
  }
}

/** A call that is held, and ready once the owner has approved it. */
async function approved(input: Parameters<ReturnType<LifeRig['as']>['prepareExecution']>[0]) {
  const held = await rig.as(bot).prepareExecution(input)
  if (!('approval' in held)) throw new Error('the call was not held')
  const { approval_id } = held.approval
  await rig.as(me).decideApproval({ public_id: input.public_id, approval_id, decision: 'approve' })
  const ready = await rig.as(bot).prepareExecution(input)
  if (!('call' in ready)) throw new Error('the call was held again')
  return { approval_id, ready }
}

test('an approval is not used up by another call that carries the approved one as padding, and is by the approved one with bytes behind it', async () => {
  const public_id = await workingMandate()
  const { vault } = await rig.as(me).planFunding({ public_id })
  const { venue } = chain.deployment.contracts
  const calls = prepare(chain.chain.id)
  const buying = (minUnits: bigint) => calls.venue(venue.address).buy({ m: MARKET, usdcIn: usd(45), minUnits }).data
  const input = { public_id, target: venue.address, data: buying(44_000_000n), approve_amount_usdc: '45' }
  const { approval_id, ready } = await approved(input)
  const item = async () => (await rig.as(me).listApprovals({ public_id, approval_id })).items[0]
  const violations = async () =>
    (await rig.as(me).readRecord({ public_id, since: '0' })).steps.filter(({ kind }) => kind === 'violation')

  // The venue reads its three words and ignores what follows: the call that was approved, word for word.
  const padded: Hex = `${buying(0n)}${ready.call.data.slice(2)}`
  const other = calls.vault(getAddress(vault)).execute({ target: venue.address, data: padded, approveAmount: usd(45) })
  const smuggled = await sent(agentWallet(AGENT), other)
  await rig.peer?.tell(smuggled, 1)
  await eventually(async () => (await violations()).length === 1)
  expect(await violations()).toMatchObject([{ tx_hash: smuggled, body: { reason: 'unapproved_execution' } }])
  expect(await item()).toMatchObject({ status: 'approved', used_tx_hash: null })

  const executed = await sent(agentWallet(AGENT), { ...ready.call, data: `${ready.call.data}1234` })
  await rig.peer?.tell(executed, 1)
  await eventually(async () => (await item())?.status === 'used')
  expect(await item()).toMatchObject({ used_tx_hash: executed })
  expect(await violations()).toHaveLength(1)
})

test('a held call is approved, executed on the real vault and used up; the record verifies against the chain, and not after a fact is left out', async () => {
  const public_id = await workingMandate()
  const { venue } = chain.deployment.contracts
  const { data } = prepare(chain.chain.id)
    .venue(venue.address)
    .buy({ m: MARKET, usdcIn: usd(45), minUnits: 0n })
  const input = { public_id, target: venue.address, data, approve_amount_usdc: '45' }
  const { approval_id, ready } = await approved(input)
  const executed = await sent(agentWallet(AGENT), ready.call)
  await rig.peer?.tell(executed, 1)
  const item = async () => (await rig.as(me).listApprovals({ public_id, approval_id })).items[0]
  await eventually(async () => (await item())?.status === 'used')
  expect(await item()).toMatchObject({ used_tx_hash: executed })
  const { usage } = await rig.as(me).readLive({ public_id })
  expect(usage).toMatchObject({ used_usdc: '45', held_usdc: '0' })

  const { file } = await rig.as(me).exportRecord({ public_id })
  const bus = await rig.stack.nats.connect('gateway')
  const bytes = await new Response(await fileReader(bus)(file)).arrayBuffer()
  await bus.close()
  const path = join(folder, 'record.ndjson')
  await writeFile(path, Buffer.from(bytes))
  const good = await verify(path)
  expect(good.stdout).toContain('facts of the vault are in the chain')
  expect(good.code).toBe(0)

  // A record without the deposit and with new hashes is consistent; only the chain contradicts it.
  const [first = '', ...lines] = (await readFile(path, 'utf8')).trimEnd().split('\n')
  const entries = lines.map((line) => (JSON.parse(line) as { entry: RecordEntry }).entry)
  let previous = ''
  const forged = entries
    .filter(({ body }) => body['name'] !== 'Deposited')
    .map((entry, at) => {
      const changed = { ...entry, seq: at + 1, previous }
      previous = recordHash(changed)
      return { type: 'entry', hash: previous, entry: changed }
    })
  expect(forged).toHaveLength(entries.length - 1)
  const head = { ...(JSON.parse(first) as object), head: { seq: forged.length, hash: previous, jws: null } }
  await writeFile(path, [head, ...forged].map((line) => JSON.stringify(line)).join('\n'))
  expect(await verify(path)).toMatchObject({ code: 1, stdout: expect.stringContaining('is not in the record') })
})

test('a held call that its owner asks for by its id has what it gets at the present price, and how the worth changes', async () => {
  const public_id = await workingMandate()
  const { venue } = chain.deployment.contracts
  const calls = prepare(chain.chain.id).venue(venue.address)
  const quoteOf = async (data: Hex, reader = me) => {
    const call = { public_id, target: venue.address, data, approve_amount_usdc: '45' }
    const held = await rig.as(bot).prepareExecution(call)
    if (!('approval' in held)) throw new Error('the call was not held')
    const { approval_id } = held.approval
    const [item] = (await rig.as(reader).listApprovals({ public_id, approval_id })).items
    // Held amounts count against the cap of the day.
    await rig.as(me).decideApproval({ public_id, approval_id, decision: 'decline' })
    return item?.quote
  }
  // At a price of 1, a fee of 0.1 % and half a spread of 0.1 % are paid on the way in, and again on the way out.
  expect(await quoteOf(calls.buy({ m: MARKET, usdcIn: usd(45), minUnits: 1n }).data)).toEqual({
    gets: '44.910089',
    effect_usdc: '-0.179688',
  })
  expect(await quoteOf(calls.sell({ m: MARKET, n: usd(10), minOut: 1n }).data)).toEqual({
    gets: '9.98001',
    effect_usdc: '0',
  })
  const nowhere = stringToHex('NOWHERE', { size: 32 })
  expect(await quoteOf(calls.buy({ m: nowhere, usdcIn: usd(45), minUnits: 1n }).data)).toBeNull()
  expect(await quoteOf(`${calls.redeem({ m: MARKET }).data}00`)).toBeNull()
  // A quote costs calls of the chain, and an agent asks as often as it likes.
  expect(await quoteOf(calls.sell({ m: MARKET, n: usd(11), minOut: 1n }).data, bot)).toBeUndefined()
  const { items } = await rig.as(me).listApprovals({ public_id })
  expect(items.every((item) => !('quote' in item))).toBe(true)
})

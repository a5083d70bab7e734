import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { deployContracts, prepare } from '@svc/chain'
import { openPool } from '@svc/postgres'
import { fileReader } from '@svc/service'
import { eventually, opened, refusalOf } from '@svc/testing'
import { createWalletClient, http, type LocalAccount } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { admin, startChain, tellOf, transactionOf } from '../chain-peer.ts'
import { agentWallet, bodyAt, owner, ownerWallet, startLifeRig, type Hex } from '../rigs/life-rig.ts'

const AGENT = 35
const me = owner(25)
const wallet = ownerWallet(25)
let otherFactory: string
const chain = opened(() => startChain())
const rig = opened(() => startLifeRig({ chain }))
const indexer = opened(() => openPool(rig.stack.databaseOf('chain-indexer').url))
beforeAll(async () => {
  await chain.anvil.request('anvil_setBalance', [wallet.address, '0xde0b6b3a7640000'])
  const { usdc } = chain.deployment.contracts
  const funds = prepare(chain.chain.id).usdc(usdc.address).mint({ to: wallet.address, amount: 10_000_000_000n })
  await chain.send(admin, funds)
  // Contracts pin who serves them, so that another keeper and operator make another factory.
  const deployer = createWalletClient({ account: admin, transport: http(chain.anvil.url) })
  const roles = { keeper: agentWallet(99).address, operator: agentWallet(98).address }
  otherFactory = (await deployContracts(chain.chain, deployer, roles)).contracts.factory.address
})

async function sent(call: { to: string; data: string } | null | undefined): Promise<Hex> {
  if (call === null || call === undefined) throw new Error('there is no call')
  const hash = await chain.send(wallet, call)
  await chain.anvil.mine(2)
  rig.clock.set(new Date((await chain.anvil.now()) * 1000))
  return hash
}
async function sign(public_id: string): Promise<string> {
  const { typed_data, terms_hash } = await rig.as(me).readTerms({ public_id })
  const signature = await wallet.signTypedData(typed_data as unknown as Parameters<LocalAccount['signTypedData']>[0])
  await rig.as(me).signTerms({ public_id, terms_hash, signature })
  return terms_hash
}
const detail = (public_id: string) => rig.as(me).readMandate({ public_id })
const kinds = async (public_id: string) => (await detail(public_id)).events.map(({ kind }) => kind)
/** Waits for a state; a failure says what stands instead. */
async function stands(public_id: string, wanted: string): Promise<void> {
  await eventually(async () => {
    const { state, events, chain_state } = await detail(public_id)
    if (state === wanted) return
    const seen = events.map(({ kind, body }) => `${kind} ${JSON.stringify(body)}`)
    throw new Error(`${state}, not ${wanted}: ${seen.join(', ')}; vault ${chain_state?.vault ?? 'none'}`)
  })
}
async function attach(public_id: string, tx_hash: Hex): Promise<string> {
  return (await rig.as(me).attachVault({ public_id, tx_hash })).vault
}

/** A mandate that worked until a reorganisation took its vault away, and the transaction that had made the vault. */
async function vaultless() {
  rig.clock.set(new Date((await chain.anvil.now()) * 1000))
  const { mandate } = await rig.as(me).createMandate(bodyAt(rig, { agent_id: AGENT }) as never)
  const { public_id } = mandate
  await sign(public_id)
  const creation = await sent((await rig.as(me).prepareCreation({ public_id })).call)
  const vault = await attach(public_id, creation)
  const transaction = await transactionOf(chain, creation)
  await tellOf(indexer, transaction, 1, true)
  await tellOf(indexer, transaction, 2, false)
  await eventually(async () => (await kinds(public_id)).includes('vault_orphaned'))
  return { public_id, vault, creation: transaction }
}

test('while a reorganisation has the vault, no read shows one', async () => {
  const { public_id } = await vaultless()
  expect(await detail(public_id)).toMatchObject({ state: 'signed', chain_state: null, usage: null, lock: null })
  const done = (await detail(public_id)).steps.filter((step) => step.done).map(({ key }) => key)
  expect(done).toEqual(['drafted', 'agent_designated', 'terms_signed'])
  expect(await rig.as(me).readLive({ public_id })).toMatchObject({ state: 'signed', usage: null })
  const { items } = await rig.as(me).listMandates({})
  expect(items.find((one) => one.public_id === public_id)).toMatchObject({ vault: null, chain_id: null })
  expect(await rig.as(me).stopMandate({ public_id })).toMatchObject({ chain_state: null, lock: null })
})

test('terms are signed again for another factory once the vault is gone, and its vault takes the place of that one', async () => {
  const { public_id, vault, creation } = await vaultless()
  const { terms_hash } = await rig.as(me).readTerms({ public_id })
  const again = { public_id, terms_hash, signature: '0x1234' }
  expect(await refusalOf(rig.as(me).signTerms(again))).toMatchObject({ code: 'hub_wrong_state', state: 'signed' })

  await rig.restart({ HUB_MANDATE_FACTORY_ADDRESS: otherFactory })
  expect(await refusalOf(rig.as(me).prepareCreation({ public_id }))).toMatchObject({ code: 'hub_sign_again' })
  expect(await rig.as(me).readTerms({ public_id })).toMatchObject({ signed: false })
  const second = await sign(public_id)
  expect(second).not.toBe(terms_hash)

  // The first vault comes back: it is not made the mandate's again, and the owner is told.
  await tellOf(indexer, creation, 3, true)
  await eventually(async () => (await kinds(public_id)).includes('other_vault_created'))
  expect(await detail(public_id)).toMatchObject({ state: 'signed', terms_hash: second, chain_state: null })
  expect(await refusalOf(attach(public_id, creation.tx_hash as Hex))).toMatchObject({
    code: 'hub_vault_mismatch',
    member: 'factory',
  })

  const made = await sent((await rig.as(me).prepareCreation({ public_id })).call)
  const other = await attach(public_id, made)
  expect(other).not.toBe(vault)
  const { calls } = await rig.as(me).planFunding({ public_id, amount_usdc: '400' })
  await sent(calls?.approve)
  const deposit = await sent(calls?.deposit)
  expect(await rig.as(me).recordVaultTransaction({ public_id, kind: 'deposit', tx_hash: deposit })).toMatchObject({
    state: 'working',
  })
  expect((await detail(public_id)).chain_state).toMatchObject({ vault: other, principal_usdc: '400' })

  // What is told of the first vault from now on changes nothing of the second.
  await tellOf(indexer, creation, 4, false)
  await tellOf(indexer, await transactionOf(chain, made), 1, true)
  await tellOf(indexer, await transactionOf(chain, made), 2, false)
  await stands(public_id, 'signed')
  await tellOf(indexer, await transactionOf(chain, made), 3, true)
  await stands(public_id, 'working')
  expect((await detail(public_id)).chain_state).toMatchObject({ vault: other, principal_usdc: '400' })
  expect(await verified(public_id)).toContain(
    '1 facts of the vault are in the chain as the record says, and none is missing',
  )
})

const tool = fileURLToPath(new URL('../../../../tools/verify-record/main.ts', import.meta.url))

/** What the verifier says of the exported record; rejects where it finds a problem. */
async function verified(public_id: string): Promise<string> {
  const { file } = await rig.as(me).exportRecord({ public_id })
  const bus = await rig.stack.nats.connect('gateway')
  const folder = await mkdtemp(join(tmpdir(), 'record-'))
  try {
    const path = join(folder, 'record.ndjson')
    await writeFile(path, Buffer.from(await new Response(await fileReader(bus)(file)).arrayBuffer()))
    return (await promisify(execFile)(process.execPath, [tool, path, '--rpc', chain.anvil.url])).stdout
  } finally {
    await bus.close()
    await rm(folder, { recursive: true, force: true })
  }
}

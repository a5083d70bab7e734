import { serializeErc6492Signature } from 'viem/utils'
import { concat, getContractAddress, pad, type Hex } from 'viem'
import { opened, refusalOf } from '@svc/testing'
import { expect, test } from 'vitest'
import { admin, startChain } from '../chain-peer.ts'
import { bodyAt, owner, startLifeRig } from '../rigs/life-rig.ts'

const chain = opened(() => startChain())
const rig = opened(() => startLifeRig({ chain }))

/** anvil's deterministic deployer: salt and creation code as calldata. */
const DEPLOYER: Hex = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
/** A contract wallet that accepts the digest itself as the only signature of a digest. */
const WALLET_CODE: Hex = '0x7760643560043514631626ba7e60e01b0260005260206000f360005260186008f3'
const saltOf = (n: number): Hex => pad(`0x${n.toString(16)}`, { size: 32 })
const walletAt = (n: number): Hex =>
  getContractAddress({ opcode: 'CREATE2', from: DEPLOYER, salt: saltOf(n), bytecode: WALLET_CODE })
const deployData = (n: number): Hex => concat([saltOf(n), WALLET_CODE])
/** Returns a signature of a wallet that is not deployed yet (ERC-6492). */
const wrapped = (n: number, signature: Hex): Hex =>
  serializeErc6492Signature({ address: DEPLOYER, data: deployData(n), signature })

let people = 500
/** Creates a draft of an owner whose wallet is a contract. */
async function draftOf(wallet: Hex) {
  const who = { ...owner(++people), wallet }
  rig.clock.set(new Date((await chain.anvil.now()) * 1_000))
  const { public_id } = (await rig.as(who).createMandate(bodyAt(rig, { agent_id: 31 }) as never)).mandate
  const { terms_hash } = await rig.as(who).readTerms({ public_id })
  return {
    public_id,
    digest: terms_hash as Hex,
    sign: (signature: Hex) => rig.as(who).signTerms({ public_id, terms_hash, signature }),
    state: async () => (await rig.as(who).readMandate({ public_id })).state,
  }
}
const invalid = { status: 422, code: 'hub_signature_invalid' }

test('a deployed contract wallet can sign (ERC-1271), and its signature of other terms is refused', async () => {
  await chain.send(admin, { to: DEPLOYER, data: deployData(1) })
  const [mine, other] = [await draftOf(walletAt(1)), await draftOf(walletAt(1))]
  expect(await refusalOf(mine.sign(other.digest))).toMatchObject(invalid)
  expect(await mine.state()).toBe('draft')
  expect((await mine.sign(mine.digest)).mandate.state).toBe('signed')
  // Replayed: for the same terms it comes too late, for others it is none.
  expect(await refusalOf(mine.sign(mine.digest))).toMatchObject({ code: 'hub_wrong_state' })
  expect(await refusalOf(other.sign(mine.digest))).toMatchObject(invalid)
  // The wrapper of a wallet that is there already is taken as well.
  expect((await other.sign(wrapped(1, other.digest))).mandate.state).toBe('signed')
})

test('a wallet that is not deployed yet can sign (ERC-6492), and stays undeployed', async () => {
  const mine = await draftOf(walletAt(2))
  expect(await refusalOf(mine.sign(mine.digest))).toMatchObject(invalid)
  expect((await mine.sign(wrapped(2, mine.digest))).mandate.state).toBe('signed')
  expect(await chain.chain.client.getCode({ address: walletAt(2) })).toBeUndefined()
})

test.each<[string, Hex]>([
  ['reverts', '0x60006000fd'],
  ['reverts with a megabyte', '0x621000006000fd'],
  ['reverts with three megabytes, more than the check has gas to copy', '0x623000006000fd'],
  ['burns all gas', '0x5b600056'],
  ['fails with an invalid opcode', '0xfe'],
  ['destroys itself', '0x33ff'],
  ['answers nothing', '0x60006000f3'],
  ['answers four bytes', '0x631626ba7e60e01b60005260046000f3'],
  ['answers the magic value with dirty bytes behind it', `0x7f1626ba7e${'ff'.repeat(28)}60005260206000f3`],
  ['answers the magic value at the wrong end', '0x631626ba7e60005260206000f3'],
  ['answers another value', `0x7f${'ff'.repeat(32)}60005260206000f3`],
])('the signature of a wallet that %s is refused', async (_what, code) => {
  const wallet = walletAt(1_000 + people)
  await chain.anvil.request('anvil_setCode', [wallet, code])
  const mine = await draftOf(wallet)
  for (const signature of [
    mine.digest,
    serializeErc6492Signature({ address: DEPLOYER, data: '0x', signature: '0x11' }),
  ])
    expect(await refusalOf(mine.sign(signature))).toMatchObject(invalid)
  expect(await mine.state()).toBe('draft')
})

test.each<[string, (digest: Hex) => Hex]>([
  ['of another wallet’s deployment', (digest) => wrapped(4, digest)],
  ['over other terms', () => wrapped(3, pad('0x1', { size: 32 }))],
  [
    'without the deployment',
    (digest) => serializeErc6492Signature({ address: DEPLOYER, data: '0x', signature: digest }),
  ],
  ['that is cut off', (digest) => `0x${wrapped(3, digest).slice(2, -66)}${'6492'.repeat(16)}`],
  ['with a broken mark', (digest) => `0x${wrapped(3, digest).slice(2, -2)}00`],
  ['that is empty', () => '0x'],
])('a signature %s is refused and nothing is stored', async (_what, signature) => {
  const mine = await draftOf(walletAt(3))
  const refused = await refusalOf(mine.sign(signature(mine.digest)))
  expect([400, 422]).toContain(refused.status)
  expect(['hub_signature_invalid', 'invalid_request']).toContain(refused.code)
  expect(await mine.state()).toBe('draft')
  const stored = await rig.pool.any({
    sql: 'SELECT 1 FROM signed_terms t JOIN mandate m ON m.id = t.mandate_id WHERE m.public_id = $1',
    values: [mine.public_id],
    type: 'SLONIK_TOKEN_QUERY',
  } as never)
  expect(stored).toEqual([])
})

import { sql } from '@svc/postgres'
import { isOutage } from '@svc/service'
import { FakeClock, type ForgedAnswer, type RpcFault } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fund, signMandate, type Played, type Theatre } from './script.ts'
import { callerOf, startChain, startStack, walletOf } from './stack.ts'

let theatre: Theatre
beforeAll(async () => {
  const chain = await startChain()
  const stack = await startStack(chain)
  const clock = new FakeClock(new Date((await chain.anvil.now()) * 1_000))
  await stack.start('chain-indexer')
  await stack.start('mandates', clock)
  await fund(chain, [101, 202])
  theatre = { chain, stack, clock, swept: async () => {}, marked: async () => {} }
})
afterAll(async () => {
  await theatre?.stack.stop()
  await theatre?.chain.stop()
})

const attached = ({ publicId }: Played) =>
  theatre.stack.pools.mandates.exists(sql.unsafe`
    SELECT 1 FROM vault v JOIN mandate m ON m.id = v.mandate_id WHERE m.public_id = ${publicId} AND v.canonical`)
const asOwner = () => theatre.stack.as(callerOf(101, 'owner'))
const readsReceipts = ['eth_getTransactionReceipt']

/** Returns the creation log of a vault with another owner. */
function withOtherTerms(receipt: ForgedAnswer) {
  const [own, other] = [101, 999].map((n) => walletOf(n).address.slice(2).toLowerCase())
  return JSON.parse(JSON.stringify(receipt).replaceAll(`0${own}`, `0${other}`)) as ForgedAnswer
}

test.each<[string, RpcFault]>([
  ['leaves the receipt of a mined transaction out', { kind: 'receipt-missing' }],
  ['fails', { kind: 'rpc-error', code: -32_603, message: 'internal', methods: readsReceipts }],
  ['refuses for now', { kind: 'rate-limited', retryAfterSeconds: 1, methods: readsReceipts }],
  ['answers with a page', { kind: 'http-status', status: 502, methods: readsReceipts }],
  ['hangs up', { kind: 'dropped', methods: readsReceipts }],
  ['makes up what the receipt says was logged', { kind: 'receipt-forged', forge: withOtherTerms }],
  ['leaves the logs of the receipt out', { kind: 'receipt-forged', forge: (receipt) => ({ ...receipt, logs: [] }) }],
  ['says that it failed', { kind: 'receipt-forged', forge: (receipt) => ({ ...receipt, status: '0x0' }) }],
  ['makes up who sent it', { kind: 'transaction-forged', forge: (sent) => ({ ...sent, from: walletOf(999).address }) }],
])('while the RPC %s no vault is attached from a receipt, and the caller is to ask again', async (_what, fault) => {
  const { chain } = theatre
  const played = await signMandate(theatre, 101, 202)
  // Before the vault is created, so that the sweep cannot attach it.
  chain.proxy.inject({ kind: 'rpc-error', code: -32_603, message: 'internal', methods: ['eth_getLogs'] })
  chain.proxy.inject(fault)
  try {
    const tx_hash = await chain.send(walletOf(101), played.creation)
    const asked = await asOwner()
      .attachVault({ public_id: played.publicId, tx_hash })
      .then(
        () => null,
        (error: unknown) => error,
      )
    expect(isOutage(asked)).toBe(true)
    expect(await attached(played)).toBe(false)
    chain.proxy.heal()
    expect(await asOwner().attachVault({ public_id: played.publicId, tx_hash })).toMatchObject({ vault: played.vault })
  } finally {
    chain.proxy.heal()
  }
})

test('a receipt of a replaced block attaches no vault, even if the RPC keeps returning it', async () => {
  const { chain } = theatre
  const played = await signMandate(theatre, 101, 202)
  chain.proxy.inject({ kind: 'rpc-error', code: -32_603, message: 'internal', methods: ['eth_getLogs'] })
  chain.proxy.inject({ kind: 'receipt-stale' })
  try {
    const tx_hash = await chain.send(walletOf(101), played.creation)
    // The proxy knows the receipt before the block is replaced.
    await fetch(chain.proxy.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [tx_hash] }),
    })
    await chain.anvil.reorg(1)
    await expect(asOwner().attachVault({ public_id: played.publicId, tx_hash })).rejects.toThrow()
    expect(await attached(played)).toBe(false)
  } finally {
    chain.proxy.heal()
  }
})

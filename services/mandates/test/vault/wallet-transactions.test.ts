import { prepare } from '@svc/chain'
import { stringToHex, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { opened } from '@svc/testing'
import { beforeAll, expect, test } from 'vitest'
import { admin, startChain } from '../chain-peer.ts'
import { signTyped, usd } from '../owner-acts.ts'
import { agent, bodyAt, owner, startLifeRig } from '../rigs/life-rig.ts'

const MARKET = stringToHex('GOLD', { size: 32 })
const AGENT = 92
/** Accounts whose keys the node holds, as a browser's wallet holds its user's. */
const held = (addressIndex: number) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex })
const [wallet, botWallet] = [held(5), held(6)]
const me = { ...owner(91), wallet: wallet.address }
const bot = { ...agent(AGENT), wallet: botWallet.address }
const syncClock = async () => rig.clock.set(new Date((await chain.anvil.now()) * 1000))
const chain = opened(() => startChain())
const rig = opened(() => startLifeRig({ chain }))
beforeAll(async () => {
  rig.world.wallets.set(AGENT, botWallet.address)
  const { usdc, venue } = chain.deployment.contracts
  const calls = prepare(chain.chain.id)
  await chain.send(admin, calls.usdc(usdc.address).mint({ to: wallet.address, amount: usd(1_000) }))
  await chain.send(admin, calls.venue(venue.address).setPrice({ m: MARKET, price: usd(1) }))
})

interface Answer {
  readonly call: object | null
  readonly tx?: object | null | undefined
}

/** Hands the answer to the node's own wallet, unchanged, and answers the hash of the mined transaction. */
async function handed({ call, tx }: Answer, sender: Hex = wallet.address): Promise<Hex> {
  const { anvil } = chain
  // What a caller has without a form for wallets is the call itself.
  const transaction = { ...(tx ?? call) } as Record<string, unknown>
  const quantity = /^0x(?:0|[1-9a-f][0-9a-f]*)$/
  expect(transaction, 'as eth_sendTransaction takes it').toEqual({
    from: sender,
    to: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    data: expect.stringMatching(/^0x[0-9a-f]{8,}$/),
    value: expect.stringMatching(quantity),
    chainId: `0x${anvil.chainId.toString(16)}`,
  })
  const hash = await anvil.request<Hex>('eth_sendTransaction', [transaction])
  await anvil.mine(2)
  await syncClock()
  expect(await anvil.request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  return hash
}

test('the transaction of every prepared call is mined when a wallet sends it exactly as it was answered', async () => {
  const api = rig.as(me)
  await syncClock()
  const { public_id } = (await api.createMandate(bodyAt(rig, { agent_id: AGENT }) as never)).mandate
  const { typed_data, terms_hash } = await api.readTerms({ public_id })
  await api.signTerms({ public_id, terms_hash, signature: await signTyped(typed_data, wallet) })
  const report = (kind: 'deposit' | 'pause' | 'resume' | 'stop', tx_hash: Hex) =>
    api.recordVaultTransaction({ public_id, kind, tx_hash })

  const created = await handed(await api.prepareCreation({ public_id }))
  await api.attachVault({ public_id, tx_hash: created })

  const funding = await api.planFunding({ public_id, amount_usdc: '400' })
  const { calls, txs } = funding as typeof funding & { txs?: Record<'approve' | 'deposit', object> | null }
  await handed({ call: calls?.approve ?? null, tx: txs?.approve })
  const deposit = await handed({ call: calls?.deposit ?? null, tx: txs?.deposit })
  await report('deposit', deposit)

  const target = chain.deployment.contracts.venue.address
  const venue = prepare(chain.chain.id).venue(target)
  const buy = venue.buy({ m: MARKET, usdcIn: usd(20), minUnits: 0n }).data
  const bought = await rig.as(bot).prepareExecution({ public_id, target, data: buy, approve_amount_usdc: '20' })
  if (!('call' in bought)) throw new Error('the call was held')
  await handed(bought, botWallet.address)

  await report('pause', await handed(await api.preparePause({ public_id })))
  await report('resume', await handed(await api.prepareResume({ public_id })))

  const plan = await api.planClosing({ public_id })
  expect(plan.steps.map(({ action }) => action)).toEqual(['stop', 'unwind', 'withdraw'])
  expect((await api.prepareStop({ public_id })).call).toEqual(plan.steps[0]?.call)
  await report('stop', await handed(await api.prepareStop({ public_id })))
  // The owner sells a part by hand; the plan sells the rest.
  const data = venue.sell({ m: MARKET, n: 5_000_000n, minOut: 0n }).data
  await handed(await api.prepareUnwind({ public_id, target, data }))
  await handed(await api.prepareWithdrawal({ public_id }))
  for (const step of (await api.planClosing({ public_id })).steps) await handed(step)
})

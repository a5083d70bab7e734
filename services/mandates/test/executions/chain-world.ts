import { prepare } from '@svc/chain'
import { opened } from '@svc/testing'
import { getAddress, stringToHex, type Address, type Hex, type LocalAccount } from 'viem'
import { beforeAll } from 'vitest'
import { admin, startChain } from '../chain-peer.ts'
import { agent, agentWallet, bodyAt, owner, ownerWallet, startLifeRig } from '../rigs/life-rig.ts'

const MARKET = stringToHex('GOLD', { size: 32 })
export const usd = (amount: number) => BigInt(amount) * 1_000_000n
const OWNER = 22
export const AGENT = 32
export const [me, bot, wallet, botWallet] = [owner(OWNER), agent(AGENT), ownerWallet(OWNER), agentWallet(AGENT)]

/** A mandate whose vault is on the chain, with 400 USDC. */
export interface Working {
  readonly public_id: string
  readonly vault: Address
}

/** The service over a real chain with the contracts, and an owner and an agent who trade there. */
export function chainWorld() {
  const chain = opened(() => startChain())
  const rig = opened(() => startLifeRig({ chain }))
  /** The service's clock shows the chain's time and this many seconds more. */
  const clock = { aheadSec: 0 }
  beforeAll(async () => {
    for (const funded of [wallet, botWallet])
      await chain.anvil.request('anvil_setBalance', [funded.address, '0xde0b6b3a7640000'])
    const { usdc, venue } = chain.deployment.contracts
    const calls = prepare(chain.chain.id)
    await chain.send(admin, calls.usdc(usdc.address).mint({ to: wallet.address, amount: usd(100_000) }))
    await chain.send(admin, calls.venue(venue.address).setPrice({ m: MARKET, price: usd(1) }))
  })

  const syncClock = async () => rig.clock.set(new Date(((await chain.anvil.now()) + clock.aheadSec) * 1000))

  async function sent(by: LocalAccount, call: { to: string; data: string } | null | undefined): Promise<Hex> {
    if (call === null || call === undefined) throw new Error('there is no call')
    const hash = await chain.send(by, call)
    await chain.anvil.mine(2)
    await syncClock()
    return hash
  }

  async function workingMandate(limits: Record<string, unknown> = {}): Promise<Working> {
    await syncClock()
    const { mandate } = await rig.as(me).createMandate(bodyAt(rig, { agent_id: AGENT, ...limits }) as never)
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

  const buying = (amount: number) => {
    const { venue } = chain.deployment.contracts
    const { data } = prepare(chain.chain.id)
      .venue(venue.address)
      .buy({ m: MARKET, usdcIn: usd(amount), minUnits: 0n })
    return { target: venue.address, data }
  }
  /** Asks the service for a purchase of so many USDC. */
  const ask = ({ public_id }: Working, amount: number) =>
    rig.as(bot).prepareExecution({ public_id, ...buying(amount), approve_amount_usdc: String(amount) })

  return {
    chain,
    rig,
    clock,
    syncClock,
    sent,
    workingMandate,
    ask,
    simulate: ({ public_id }: Working, amount: number) =>
      rig.as(bot).simulateExecution({ public_id, ...buying(amount), amount_usdc: String(amount) }),
    /** The use of the daily cap as it is polled. */
    usage: async ({ public_id }: Working) => (await rig.as(me).readLive({ public_id })).usage,
    /** The call straight to the vault, past the guard. */
    direct: ({ vault }: Working, amount: number, approveAmount = amount) =>
      prepare(chain.chain.id)
        .vault(vault)
        .execute({ ...buying(amount), approveAmount: usd(approveAmount) }),
    requested: async (mandate: Working, amount: number) => {
      const held = await ask(mandate, amount)
      if (!('approval' in held)) throw new Error('the call was not held')
      return held.approval.approval_id
    },
    approve: ({ public_id }: Working, approval_id: string) =>
      rig.as(me).decideApproval({ public_id, approval_id, decision: 'approve' }),
    item: async ({ public_id }: Working, approval_id: string) =>
      (await rig.as(me).listApprovals({ public_id, approval_id })).items[0],
    violations: async ({ public_id }: Working) =>
      (await rig.as(me).readRecord({ public_id, since: '0' })).steps
        .filter(({ kind }) => kind === 'violation')
        .map(({ tx_hash, body }) => [tx_hash, body['reason']]),
    telling: (tx: Hex, revision: number, canonical = true) => rig.peer?.tell(tx, revision, canonical),
    /** The signed bytes of a transaction. */
    raw: async (hash: Hex) => (await chain.anvil.request('eth_getRawTransactionByHash', [hash])) as Hex,
  }
}

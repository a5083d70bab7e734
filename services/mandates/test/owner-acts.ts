import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepare, writeDeployment } from '@svc/chain'
import type { LocalAccount } from 'viem'
import { expect } from 'vitest'
import { admin, startChain, type TestChain } from './chain-peer.ts'
import {
  agent,
  agentWallet,
  bodyAt,
  owner,
  ownerWallet,
  startLifeRig,
  type Hex,
  type LifeRig,
} from './rigs/life-rig.ts'

/** USDC in base units. */
export const usd = (amount: number): bigint => BigInt(amount) * 1_000_000n

export const OWNER = 21
export const AGENT = 31
export const me = owner(OWNER)
export const wallet = ownerWallet(OWNER)
export const bot = agent(AGENT)

/** A chain with the contracts, and the service over it. */
export interface OnChain {
  readonly chain: TestChain
  readonly rig: LifeRig
}

/** Starts both; owner and agent have ether, and the owner 100,000 USDC. */
export async function startOnChain(environment: Record<string, string> = {}): Promise<OnChain> {
  const chain = await startChain()
  const folder = await mkdtemp(join(tmpdir(), 'svc-on-chain-'))
  const file = join(folder, 'deployment.json')
  await writeDeployment(file, chain.deployment)
  const rig = await startLifeRig({ chain, environment: { HUB_DEPLOYMENT_FILE: file, ...environment } })
  // It was read at the start.
  await rm(folder, { recursive: true })
  for (const funded of [wallet, agentWallet(AGENT)])
    await chain.anvil.request('anvil_setBalance', [funded.address, '0xde0b6b3a7640000'])
  const { usdc } = chain.deployment.contracts
  const mint = prepare(chain.chain.id)
    .usdc(usdc.address)
    .mint({ to: wallet.address, amount: usd(100_000) })
  await chain.send(admin, mint)
  return { chain, rig }
}

/** Signs typed data as it comes in JSON. */
export function signTyped(typed: unknown, by: LocalAccount = wallet): Promise<Hex> {
  const { domain, types, primaryType, message } = typed as Parameters<LocalAccount['signTypedData']>[0]
  return by.signTypedData({ domain, types, primaryType, message } as Parameters<LocalAccount['signTypedData']>[0])
}

/** What the owner does to bring a mandate from a draft to work, one step on from another. `on` is asked at each step. */
export function ownerActs(on: () => OnChain) {
  const api = () => on().rig.as(me)
  /** The service's clock goes with the chain's. */
  const syncClock = async () => {
    const { chain, rig } = on()
    rig.clock.set(new Date((await chain.anvil.now()) * 1000))
  }
  const drafted = async (changed: Record<string, unknown> = {}): Promise<string> => {
    await syncClock()
    const body = bodyAt(on().rig, { agent_id: AGENT, ...changed })
    return (await api().createMandate(body as never)).mandate.public_id
  }
  const signed = async (changed: Record<string, unknown> = {}): Promise<string> => {
    const public_id = await drafted(changed)
    const { typed_data, terms_hash } = await api().readTerms({ public_id })
    await api().signTerms({ public_id, terms_hash, signature: await signTyped(typed_data) })
    return public_id
  }
  const createVault = async (public_id: string): Promise<Hex> => {
    const { call } = await api().prepareCreation({ public_id })
    if (call === null) throw new Error('no factory')
    const hash = await on().chain.send(wallet, call)
    await on().chain.anvil.mine(2)
    return hash
  }
  const attached = async (changed: Record<string, unknown> = {}): Promise<string> => {
    const public_id = await signed(changed)
    await api().attachVault({ public_id, tx_hash: await createVault(public_id) })
    return public_id
  }
  /** Sends a call, lets it confirm, and answers its hash. */
  const sent = async (by: LocalAccount, call: { to: string; data: string } | null): Promise<Hex> => {
    if (call === null) throw new Error('there is no call')
    const hash = await on().chain.send(by, call)
    await on().chain.anvil.mine(2)
    await syncClock()
    return hash
  }
  const deposited = async (public_id: string, amount_usdc: string): Promise<Hex> => {
    const { calls } = await api().planFunding({ public_id, amount_usdc })
    await sent(wallet, calls?.approve ?? null)
    return sent(wallet, calls?.deposit ?? null)
  }
  const report = (
    public_id: string,
    kind: 'stop' | 'pause' | 'resume' | 'withdraw' | 'unwind' | 'deposit',
    tx_hash: Hex,
  ) => api().recordVaultTransaction({ public_id, kind, tx_hash })
  const working = async (changed: Record<string, unknown> = {}): Promise<string> => {
    const public_id = await attached(changed)
    expect((await report(public_id, 'deposit', await deposited(public_id, '400'))).state).toBe('working')
    return public_id
  }
  const vaultOf = async (public_id: string) => (await api().readMandate({ public_id })).chain_state?.vault as Hex
  return { syncClock, drafted, signed, createVault, attached, sent, deposited, report, working, vaultOf }
}

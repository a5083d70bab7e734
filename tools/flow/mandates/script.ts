import { prepare } from '@svc/chain'
import { RemoteRefusal } from '@svc/service'
import type { FakeClock } from '@svc/testing'
import fc from 'fast-check'
import { getAddress, stringToHex, type Hex, type LocalAccount } from 'viem'
import { admin, callerOf, keeper, reorganise, walletOf, type Client, type Stack, type TestChain } from './stack.ts'

export const USDC = 1_000_000n
const MARKET = stringToHex('GOLD', { size: 32 })
const LIVELY = [
  'deposit',
  'transfer',
  'buy',
  'sell',
  'refused',
  'unlisted',
  'approved',
  'unapproved',
  'pause',
  'foreign',
  'resume',
  'mark',
] as const
const CLOSING = ['stop', 'unwind', 'settle', 'withdraw', 'claim'] as const
type CallName = (typeof LIVELY)[number] | (typeof CLOSING)[number]

/** A step of a script: an action on the chain, reported to the service or not, a reorganisation, or the passing of time. */
export type Step =
  | {
      readonly kind: 'call'
      readonly mandate: number
      readonly what: CallName
      readonly usdc: number
      readonly told: boolean
    }
  | { readonly kind: 'mine'; readonly blocks: number }
  | { readonly kind: 'reorg'; readonly depth: number; readonly kept: number; readonly later: number }
  | { readonly kind: 'swept' }
  | { readonly kind: 'mark' }
  | { readonly kind: 'stopInRecord'; readonly mandate: number }
  | { readonly kind: 'end' }

const call = fc.record({
  kind: fc.constant('call' as const),
  mandate: fc.nat(1),
  what: fc.oneof(
    {
      weight: 8,
      arbitrary: fc.constantFrom<CallName[]>(...LIVELY, 'deposit', 'deposit', 'buy', 'approved', 'resume', 'resume'),
    },
    { weight: 1, arbitrary: fc.constantFrom<CallName[]>(...CLOSING) },
  ),
  usdc: fc.integer({ min: 1, max: 39 }),
  told: fc.boolean(),
})
const reorg = fc.record({
  kind: fc.constant('reorg' as const),
  depth: fc.integer({ min: 1, max: 10 }),
  kept: fc.nat(10),
  later: fc.nat(3),
})
const blocks = fc.integer({ min: 1, max: 6 })
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 30, arbitrary: call },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('mine' as const), blocks }) },
  { weight: 4, arbitrary: reorg },
  { weight: 3, arbitrary: fc.constant({ kind: 'swept' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'mark' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stopInRecord' as const), mandate: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'end' as const }) },
)

/** Chain, services and clock on which a script is played. */
export interface Theatre {
  readonly chain: TestChain
  readonly stack: Stack
  readonly clock: FakeClock
  /** Waits until the sweep has read every block. */
  swept(): Promise<void>
  /** Stores worths and compares each with the chain. */
  marked(cast: readonly Played[]): Promise<void>
}

/** A mandate that takes part in a script. */
export interface Played {
  readonly publicId: string
  readonly ownerId: number
  readonly agentId: number
  readonly vault: Hex
  /** Call that creates the vault; repeated after a reorganisation removed the vault. */
  readonly creation: { readonly to: string; readonly data: string }
}

/** Sets the service's clock to the chain's time, but never back. */
export async function syncClock({ chain, clock }: Pick<Theatre, 'chain' | 'clock'>): Promise<void> {
  const now = new Date((await chain.anvil.now()) * 1_000)
  if (now > clock.now()) clock.set(now)
}

/** Gives wallets gas and USDC. */
export async function fund(chain: TestChain, accounts: readonly number[]): Promise<void> {
  const calls = prepare(chain.chain.id)
  const { usdc, venue } = chain.deployment.contracts
  for (const id of accounts) {
    await chain.anvil.request('anvil_setBalance', [walletOf(id).address, '0xde0b6b3a7640000'])
    await chain.send(admin, calls.usdc(usdc.address).mint({ to: walletOf(id).address, amount: 1_000_000n * USDC }))
  }
  await chain.send(admin, calls.usdc(usdc.address).mint({ to: venue.address, amount: 1_000_000n * USDC }))
  await chain.send(admin, calls.venue(venue.address).setPrice({ m: MARKET, price: USDC }))
  // Deeper than any reorganisation of a script.
  await chain.anvil.mine(12)
}

/** Creates a mandate that its agent accepted and its owner signed; its vault is not created yet. */
export async function signMandate(theatre: Theatre, ownerId: number, agentId: number): Promise<Played> {
  await syncClock(theatre)
  const { chain, stack, clock } = theatre
  const owner = stack.as(callerOf(ownerId, 'owner'))
  const body = {
    name: 'Random script',
    budget_usdc: '500',
    per_tx_cap_usdc: '50',
    daily_cap_usdc: '150',
    stop_line_usdc: '20',
    approval_above_usdc: '40',
    markets: ['testvenue'],
    ends_at: new Date(clock.now().getTime() + 3 * 86_400_000).toISOString(),
    fee_bps: 1_000,
    agent_id: agentId,
  }
  const { public_id } = (await owner.createMandate(body)).mandate
  await stack.as(callerOf(agentId, 'agent')).acceptMandate({ public_id })
  const { typed_data, terms_hash } = await owner.readTerms({ public_id })
  const typed = typed_data as unknown as Parameters<LocalAccount['signTypedData']>[0]
  await owner.signTerms({ public_id, terms_hash, signature: await walletOf(ownerId).signTypedData(typed) })
  const { call: creation } = await owner.prepareCreation({ public_id })
  if (creation === null) throw new Error('no factory')
  const { data } = await chain.chain.client.call({
    account: walletOf(ownerId).address,
    to: creation.to as Hex,
    data: creation.data as Hex,
  })
  const vault = getAddress(`0x${(data ?? '').slice(-40)}`)
  return { publicId: public_id, ownerId, agentId, vault, creation }
}

/** Ignores refusals, which are part of a script: a mandate may be stopped, and a vault may be gone. */
async function tolerant(question: Promise<unknown>): Promise<void> {
  await question.catch((error: unknown) => {
    if (!(error instanceof RemoteRefusal)) throw error
  })
}

const KINDS: Partial<Record<CallName, 'deposit' | 'pause' | 'resume' | 'stop' | 'withdraw' | 'unwind'>> = {
  deposit: 'deposit',
  pause: 'pause',
  resume: 'resume',
  stop: 'stop',
  withdraw: 'withdraw',
  unwind: 'unwind',
}

/** Creates the vault if it does not exist, also after a reorganisation removed it. */
async function ensureVault({ chain, stack }: Theatre, played: Played, told: boolean): Promise<void> {
  if ((await chain.chain.client.getCode({ address: played.vault })) !== undefined) return
  const owner = stack.as(callerOf(played.ownerId, 'owner'))
  const { usdc } = chain.deployment.contracts
  const tx_hash = await chain.send(walletOf(played.ownerId), played.creation)
  const approval = prepare(chain.chain.id)
    .usdc(usdc.address)
    .approve({ spender: played.vault, value: 1_000n * USDC })
  await chain.send(walletOf(played.ownerId), approval)
  if (told) await tolerant(owner.attachVault({ public_id: played.publicId, tx_hash }))
}

/** Sends the transaction of a step, and reports it to the service if the step says so. */
export async function act(theatre: Theatre, played: Played, step: Extract<Step, { kind: 'call' }>): Promise<void> {
  const { chain, stack } = theatre
  await ensureVault(theatre, played, step.told)
  const [owner, agent] = [walletOf(played.ownerId), walletOf(played.agentId)]
  const asOwner = stack.as(callerOf(played.ownerId, 'owner'))
  const asAgent = stack.as(callerOf(played.agentId, 'agent'))
  const calls = prepare(chain.chain.id)
  const { usdc, venue } = chain.deployment.contracts
  const vault = calls.vault(played.vault)
  const market = calls.venue(venue.address)
  const amount = BigInt(step.usdc) * USDC
  const buy = (value: bigint) => market.buy({ m: MARKET, usdcIn: value, minUnits: 0n }).data
  const sell = market.sell({ m: MARKET, n: BigInt(step.usdc) * 10n ** 12n, minOut: 0n }).data
  const execute = (data: Hex, approveAmount: bigint) => vault.execute({ target: venue.address, data, approveAmount })
  const sent = async (): Promise<Hex> => {
    switch (step.what) {
      case 'deposit':
        return chain.send(owner, vault.deposit({ amount: 3n * amount }))
      case 'transfer':
        return chain.send(owner, calls.usdc(usdc.address).transfer({ to: played.vault, value: amount }))
      case 'buy':
        return chain.send(agent, execute(buy(amount), amount))
      case 'sell':
        return chain.send(agent, execute(sell, 0n))
      case 'refused':
        return chain.send(agent, execute(buy(51n * USDC), 51n * USDC))
      case 'unlisted':
        return chain.send(agent, execute(market.setPrice({ m: MARKET, price: 1n }).data, amount))
      case 'approved':
        await approve(asOwner, asAgent, played, venue.address, buy(45n * USDC))
        return chain.send(agent, execute(buy(45n * USDC), 45n * USDC))
      case 'unapproved':
        return chain.send(agent, execute(buy(41n * USDC), 41n * USDC))
      case 'pause':
        return chain.send(owner, vault.revokeAgent())
      case 'foreign':
        return chain.send(owner, vault.setAgent({ agent_: walletOf(played.agentId + 500).address }))
      case 'resume':
        return chain.send(owner, vault.setAgent({ agent_: agent.address }))
      case 'stop':
        return chain.send(owner, vault.stop())
      case 'mark':
        return chain.send(keeper, vault.markWorth({ worth: amount, asOf: BigInt(await chain.anvil.now()) }))
      case 'unwind':
        return chain.send(owner, vault.unwind({ target: venue.address, data: sell }))
      case 'settle':
        return chain.send(keeper, vault.settle())
      case 'withdraw':
        return chain.send(owner, vault.withdrawAll())
      case 'claim':
        return chain.send(owner, vault.claimFee())
    }
  }
  const tx_hash = await sent()
  await syncClock(theatre)
  if (!step.told) return
  const kind = KINDS[step.what]
  if (kind !== undefined) await tolerant(asOwner.recordVaultTransaction({ public_id: played.publicId, kind, tx_hash }))
  if (step.what === 'refused') {
    const attempted = { target: venue.address, amount_usdc: '51' }
    const occurred_at = theatre.clock.now().toISOString()
    const report = { public_id: played.publicId, kind: 'OverPerTxCap' as const, attempted, occurred_at, tx_hash }
    await tolerant(asAgent.reportRefusal(report))
  }
}

/** Gets a call of 45 USDC held and approved; refused while the mandate is not active. */
async function approve(owner: Client, agent: Client, { publicId: public_id }: Played, target: Hex, data: Hex) {
  const held = await agent
    .prepareExecution({ public_id, target, data, approve_amount_usdc: '45' })
    .catch((error: unknown) => {
      if (error instanceof RemoteRefusal) return null
      throw error
    })
  if (held === null || !('approval' in held)) return
  const { approval_id } = held.approval
  await tolerant(owner.decideApproval({ public_id, approval_id, decision: 'approve' }))
}

/** Plays a script on two new mandates, which are funded first. */
export async function play(theatre: Theatre, cast: readonly Played[], script: readonly Step[]): Promise<void> {
  const { chain, stack } = theatre
  const funding = [0, 1, 0, 1].map(
    (mandate) => ({ kind: 'call', mandate, what: 'deposit', usdc: 39, told: true }) as const,
  )
  for (const step of [...funding, ...script]) {
    switch (step.kind) {
      case 'call': {
        const played = cast[step.mandate]
        if (played !== undefined) await act(theatre, played, step)
        break
      }
      case 'mine':
        await chain.anvil.mine(step.blocks)
        break
      case 'reorg':
        await reorganise(chain, step)
        break
      case 'swept':
        await theatre.swept()
        break
      case 'mark':
        await theatre.marked(cast)
        break
      case 'stopInRecord': {
        const played = cast[step.mandate]
        if (played === undefined) break
        await tolerant(stack.as(callerOf(played.ownerId, 'owner')).stopMandate({ public_id: played.publicId }))
        break
      }
      case 'end':
        await chain.anvil.travel(86_400 * 2)
    }
    await syncClock(theatre)
  }
}

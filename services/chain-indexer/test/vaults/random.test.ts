import { prepare } from '@svc/chain'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import {
  chainRig,
  consumed,
  indexerOf,
  MARKET,
  storedFacts,
  storedVaults,
  USDC,
  vaultCalls,
  wallets,
  type ChainRig,
  type Indexer,
} from '../rig.ts'

const long = process.env['TEST_LONG'] === '1'
const seed = Number(process.env['TEST_SEED'] ?? 20_261_121)

let chain: ChainRig
let indexer: Indexer
let fresh: Indexer

/** A step of a script: something on the chain, a reorganisation, or a run of a worker. */
type Step =
  | { readonly kind: 'create'; readonly leg: boolean }
  | { readonly kind: 'call'; readonly vault: number; readonly what: (typeof CALLS)[number]; readonly usdc: number }
  | { readonly kind: 'mine'; readonly blocks: number }
  | { readonly kind: 'reorg'; readonly depth: number; readonly kept: number; readonly later: number }
  | { readonly kind: 'sweep'; readonly span: number; readonly blocks: number }
  | { readonly kind: 'reverts' }
  | { readonly kind: 'poll' }

const CALLS = [
  'deposit',
  'transfer',
  'buy',
  'sell',
  'pause',
  'resume',
  'stop',
  'mark',
  'unwind',
  'settle',
  'withdraw',
  'claim',
  'fundLeg',
  'giveBack',
] as const

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('create' as const), leg: fc.boolean() }) },
  {
    weight: 14,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      vault: fc.nat(2),
      what: fc.constantFrom(...CALLS),
      usdc: fc.integer({ min: 1, max: 70 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('mine' as const), blocks: fc.integer({ min: 1, max: 6 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('reorg' as const),
      depth: fc.integer({ min: 1, max: 10 }),
      kept: fc.nat(10),
      later: fc.nat(3),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('sweep' as const),
      span: fc.integer({ min: 1, max: 8 }),
      blocks: fc.integer({ min: 1, max: 40 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reverts' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('poll' as const) }) },
)

interface World {
  readonly vaults: { readonly address: Hex; readonly leg: boolean }[]
  created: number
  returns: number
}

async function call(
  world: World,
  of: World['vaults'][number],
  what: (typeof CALLS)[number],
  usdc: number,
): Promise<void> {
  const { address: vault, leg } = of
  const { owner, agent, keeper, operator, stranger } = wallets
  const venue = chain.at('venue')
  const token = prepare(31_337).usdc(chain.at('usdc'))
  const amount = BigInt(usdc) * USDC
  const sell = prepare(31_337)
    .venue(venue)
    .sell({ m: MARKET, n: BigInt(usdc) * 10n ** 12n, minOut: 0n }).data
  switch (what) {
    case 'deposit':
      return void (await chain.deposit(vault, amount))
    case 'transfer':
      return void (await chain.send(stranger, token.transfer({ to: vault, value: amount })))
    case 'buy':
      return void (await chain.buy(vault, amount))
    case 'sell':
      return void (await chain.send(
        agent,
        vaultCalls.of(vault).execute({ target: venue, data: sell, approveAmount: 0n }),
      ))
    case 'unwind':
      return void (await chain.send(owner, vaultCalls.of(vault).unwind({ target: venue, data: sell })))
    case 'pause':
      return void (await chain.send(owner, vaultCalls.of(vault).revokeAgent()))
    case 'resume':
      return void (await chain.send(owner, vaultCalls.of(vault).setAgent({ agent_: agent.address })))
    case 'stop':
      return void (await chain.send(owner, vaultCalls.of(vault).stop()))
    case 'mark': {
      const asOf = BigInt(await chain.anvil.now())
      return void (await chain.send(keeper, vaultCalls.of(vault).markWorth({ worth: 10n * amount, asOf })))
    }
    case 'settle':
      return void (await chain.send(keeper, vaultCalls.of(vault).settle()))
    case 'withdraw':
      return void (await chain.send(owner, vaultCalls.of(vault).withdrawAll()))
    case 'claim':
      return void (await chain.send(stranger, vaultCalls.of(vault).claimFee()))
    case 'fundLeg':
      if (leg) await chain.send(keeper, vaultCalls.ofV2(vault).fundLeg({ amount: amount / 4n }))
      return
    case 'giveBack': {
      if (!leg) return
      world.returns += 1
      const ref: Hex = `0x${world.returns.toString(16).padStart(64, '0')}`
      const gateway = prepare(31_337).legGateway(chain.at('leg_gateway'))
      await chain.send(operator, gateway.giveBack({ vault, amount: amount / 4n, last: usdc % 2 === 0, ref }))
    }
  }
}

/** Replaces blocks and mines the first of their transactions again, some blocks later than before. */
async function reorganise({ depth, kept, later }: Extract<Step, { kind: 'reorg' }>): Promise<void> {
  const head = await chain.head()
  const raws: [string, number][] = []
  for (let number = head - depth + 1; number <= head; number++) {
    const { transactions } = await chain.anvil.request<{ transactions: string[] }>('eth_getBlockByNumber', [
      `0x${number.toString(16)}`,
      false,
    ])
    for (const hash of transactions)
      raws.push([
        await chain.anvil.request<string>('eth_getRawTransactionByHash', [hash]),
        Math.min(depth - 1, number - (head - depth + 1) + later),
      ])
  }
  // A prefix, so that no nonce is missing.
  await chain.anvil.reorg(depth, raws.slice(0, kept))
}

async function play(script: readonly Step[]): Promise<void> {
  const world: World = { vaults: [], created: 0, returns: 0 }
  for (const one of script) {
    switch (one.kind) {
      case 'create': {
        world.created += 1
        const changed = one.leg ? { legBudget: 100n * USDC, stopLine: 20n * USDC } : {}
        world.vaults.push({ address: await chain.createVault(`random-${world.created}`, changed), leg: one.leg })
        break
      }
      case 'call': {
        const of = world.vaults[one.vault % Math.max(1, world.vaults.length)]
        if (of !== undefined) await call(world, of, one.what, one.usdc)
        break
      }
      case 'mine':
        await chain.anvil.mine(one.blocks)
        break
      case 'reorg':
        await reorganise(one)
        break
      case 'sweep':
        await indexer.run('vaultEvents', { vaultEventsMaxSpan: one.span, vaultEventsMaxBlocksPerTick: one.blocks })
        break
      case 'reverts':
        // It rests while the sweep stands on a block that was replaced.
        await indexer.run('reverts').catch((error: unknown) => expect(error).toMatchObject({ name: 'Outage' }))
        break
      case 'poll':
        await indexer.run('vaultPoll')
    }
  }
}

const attemptsOf = async (of: Indexer): Promise<readonly Record<string, unknown>[]> => {
  const newest = new Map<unknown, Record<string, unknown>>()
  for (const { subject, payload } of await of.heard())
    if (subject === 'attemptReverted') newest.set(payload['tx_hash'], payload)
  return [...newest.values()]
    .filter(({ canonical }) => canonical === true)
    .map((attempt): Record<string, unknown> => ({ ...attempt, revision: null }))
    .toSorted((a, b) => String(a['tx_hash']).localeCompare(String(b['tx_hash'])))
}

test('after any script of actions and reorganisations the stored facts, what consumers applied, a reading from the first block and the views of the vaults are the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 45 }), async (script) => {
      // A chain of its own: anvil forgets its snapshots when blocks before them are replaced.
      chain = await chainRig()
      indexer = await indexerOf(chain)
      fresh = await indexerOf(chain)
      try {
        // Two vaults to begin with, one with a leg, so that most steps find something to do.
        await play([{ kind: 'create', leg: false }, { kind: 'create', leg: true }, ...script])
        for (const one of [indexer, fresh]) {
          await one.run('vaultEvents')
          await one.run('reverts')
          await one.run('vaultPoll')
        }
        const stored = await storedFacts(indexer.pool)
        expect(stored).toEqual(await storedFacts(fresh.pool))
        expect(await storedVaults(indexer.pool)).toEqual(await storedVaults(fresh.pool))
        // The poll compared every figure of the books with the views of the vault.
        expect((await storedVaults(indexer.pool)).flatMap(({ differs }) => differs)).toEqual([])
        expect((await indexer.heard()).map(({ subject }) => subject)).not.toContain('vaultDiffers')
        const applied = consumed(await indexer.heard())
        expect(applied.size).toBe(stored.length)
        for (const { tx_hash, log_ordinal, block_hash, name, args } of stored)
          expect(applied.get(`${tx_hash}:${log_ordinal}`)).toMatchObject(
            name === 'VaultCreated' ? { block_hash } : { block_hash, name, args },
          )
        expect(await attemptsOf(indexer)).toEqual(await attemptsOf(fresh))
      } finally {
        await indexer.stop()
        await fresh.stop()
        await chain.stop()
      }
    }),
    { seed, numRuns: long ? 60 : 3, endOnFailure: !long, interruptAfterTimeLimit: long ? 540_000 : 90_000 },
  )
})

import { type Account, type Hex, toFunctionSelector, zeroAddress } from 'viem'
import {
  abis,
  callAt,
  lookUpTransaction,
  prepare,
  read,
  termsOf,
  type ContractName,
  type FactoryTerms,
  type MandateTerms,
  type PreparedCall,
  type Revert,
} from '../src/index.ts'
import { agent, feeRecipient, owner, type TestChain } from './harness.ts'

/** The helpers, noting each function that is used. */
export interface Recorded {
  readonly calls: ReturnType<typeof prepare>
  readonly views: ReturnType<typeof read>
  /** `contract.function` of every function used so far. */
  readonly used: Set<string>
}

export function recorded(t: TestChain): Recorded {
  const used = new Set<string>()
  const noting = <T extends object>(helpers: T): T =>
    Object.fromEntries(
      Object.entries(helpers).map(([contract, at]: [string, (address: Hex) => object]) => [
        contract,
        (address: Hex) =>
          new Proxy(at(address), {
            get: (functions, name) => {
              used.add(`${contract}.${String(name)}`)
              return Reflect.get(functions, name) as unknown
            },
          }),
      ]),
    ) as T
  return { calls: noting(prepare(31_337)), views: noting(read(t.chain)), used }
}

/** `contract.function` of every function of every ABI. */
export function everyFunction(): string[] {
  return Object.entries(abis).flatMap(([contract, abi]) =>
    abi.filter((item) => item.type === 'function').map(({ name }) => `${contract}.${name}`),
  )
}

/** Sends a call that must succeed. */
export async function done(t: TestChain, from: Account, call: PreparedCall): Promise<void> {
  const state = await lookUpTransaction(t.chain, await t.send(from, call))
  if (state.state !== 'mined' || state.receipt.status !== 'success')
    throw new Error(`reverted: ${JSON.stringify(await revertOfCall(t, from, call), null, 1)}`)
}

/** What a call that must revert reverts with. */
export async function revertOfCall(t: TestChain, from: Pick<Account, 'address'>, call: PreparedCall): Promise<Revert> {
  const result = await callAt(t.chain, { ...call, from: from.address })
  if (result.ok || result.revert === null) throw new Error('the call does not revert')
  return result.revert
}

export const selectorOf = (contract: ContractName, name: string): Hex => {
  const item = abis[contract].find((one) => one.type === 'function' && one.name === name)
  if (item?.type !== 'function') throw new Error(`no ${contract}.${name}`)
  return toFunctionSelector(item)
}

/** Creates a vault with terms like those of a mandate of 500 USDC; answers its address and terms. */
export async function createVault(
  t: TestChain,
  mandateId: string,
  changed: Partial<MandateTerms> = {},
  helpers: ReturnType<typeof prepare> = prepare(31_337),
): Promise<{ vault: Hex; terms: FactoryTerms }> {
  const leg = changed.legBudget !== undefined
  const name = leg ? 'factoryV2' : 'factory'
  const factory = t.at(leg ? 'factory_v2' : 'factory')
  const terms: MandateTerms = {
    mandateId,
    owner: owner.address,
    agent: agent.address,
    feeRecipient: feeRecipient.address,
    usdc: t.at('usdc'),
    legGateway: leg ? t.at('leg_gateway') : zeroAddress,
    budget: 500_000_000n,
    perTxCap: 50_000_000n,
    dailyCap: 120_000_000n,
    approvalAbove: null,
    stopLine: 0n,
    legBudget: 0n,
    endsAt: BigInt(await t.anvil.now()) + 10n * 86_400n,
    feeBps: 1_000n,
    markets: [
      {
        id: 'testvenue',
        title: 'Test venue',
        calls: ['buy', 'sell', 'redeem'].map((one) => ({ target: t.at('venue'), selector: selectorOf('venue', one) })),
      },
    ],
    ...changed,
  }
  const { factoryTerms, mandateIdHash } = termsOf(terms, { chainId: 31_337, factory })
  await done(t, owner, helpers[name](factory).createVault({ t: factoryTerms }))
  const vault = await read(t.chain)[name](factory).vaultOf({ owner: owner.address, mandateIdHash })
  return { vault, terms: factoryTerms }
}

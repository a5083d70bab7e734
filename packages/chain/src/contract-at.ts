import {
  type Abi,
  type AbiFunction,
  type AbiParameter,
  type AbiParameterToPrimitiveType,
  type Address,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
} from 'viem'
import { callAt } from './call-at.ts'
import type { Chain } from './chain.ts'
import { RpcInconsistent } from './errors.ts'
import type { Revert } from './reverts.ts'

type Views = 'view' | 'pure'
type FunctionsOf<A extends Abi> = Extract<A[number], { readonly type: 'function' }>

/** Arguments by their names in the ABI; an unnamed one by its index: `arg0`, `arg1`. */
type ArgumentsOf<Inputs extends readonly AbiParameter[]> = {
  readonly [
    I in keyof Inputs & `${number}` as Inputs[I] extends { readonly name: infer N extends string }
      ? N extends ''
        ? `arg${I}`
        : N
      : `arg${I}`
  ]: Inputs[I] extends AbiParameter ? AbiParameterToPrimitiveType<Inputs[I], 'inputs'> : never
}
type Given<F extends AbiFunction> = F['inputs'] extends readonly [] ? [] : [args: ArgumentsOf<F['inputs']>]

/** The members that a wallet needs to send a call; the contracts accept no ether. */
export interface PreparedCall {
  readonly to: Address
  readonly data: Hex
  readonly value: 0n
  readonly chainId: number
}

/** A function for each state-changing function of the ABI; it returns calldata and sends nothing. */
export type PrepareOf<A extends Abi> = {
  readonly [F in FunctionsOf<A> as F['stateMutability'] extends Views ? never : F['name']]: (
    ...given: Given<F>
  ) => PreparedCall
}

/** Options of a view. */
export interface ReadOptions {
  /** State after this block; default: the newest block. */
  readonly blockNumber?: bigint
  readonly from?: Address
  readonly signal?: AbortSignal
}

/** A function for each view of the ABI. It rejects with `ContractReverted`, `RpcUnavailable`, `RpcRefused` or `RpcInconsistent`. */
export type ReadOf<A extends Abi> = {
  readonly [F in FunctionsOf<A> as F['stateMutability'] extends Views ? F['name'] : never]: (
    ...given: [...Given<F>, options?: ReadOptions]
  ) => Promise<ContractFunctionReturnType<A, Views, Extract<F['name'], ContractFunctionName<A, Views>>>>
}

/** A view reverted. */
export class ContractReverted extends Error {
  override readonly name = 'ContractReverted'
  readonly revert: Revert | null
  constructor(functionName: string, revert: Revert | null) {
    super(`${functionName} reverted: ${revert?.name ?? revert?.selector ?? 'no reason'}`)
    this.revert = revert
  }
}

/** Returns a function for each state-changing function of a contract. They throw for arguments that do not fit their types. */
export function prepareFor<const A extends Abi>(abi: A, to: Address, chainId: number): PrepareOf<A> {
  const functions = functionsOf(abi)
    .filter((item) => !isView(item))
    .map((item) => [
      item.name,
      (args: Record<string, unknown> = {}): PreparedCall => ({
        to,
        data: encodeFunctionData({ abi: [item], args: positional(item, args) }),
        value: 0n,
        chainId,
      }),
    ])
  return Object.fromEntries(functions) as PrepareOf<A>
}

/** Returns a function for each view of a contract. */
export function readFrom<const A extends Abi>(abi: A, chain: Chain, to: Address): ReadOf<A> {
  const functions = functionsOf(abi)
    .filter(isView)
    .map((item) => [
      item.name,
      async (...given: readonly unknown[]): Promise<unknown> => {
        const [args, options] = item.inputs.length === 0 ? [{}, given[0]] : given
        const data = encodeFunctionData({ abi: [item], args: positional(item, args as Record<string, unknown>) })
        const result = await callAt(chain, { ...(options as ReadOptions | undefined), to, data })
        if (!result.ok) throw new ContractReverted(item.name, result.revert)
        return decoded(item, to, result.data)
      },
    ])
  return Object.fromEntries(functions) as ReadOf<A>
}

function decoded(item: AbiFunction, to: Address, data: Hex): unknown {
  try {
    return decodeFunctionResult({ abi: [item], data })
  } catch {
    throw new RpcInconsistent(
      `${item.name}: ${to} returned data of another type: the address has another contract, or none`,
    )
  }
}

const isView = ({ stateMutability }: AbiFunction) => stateMutability === 'view' || stateMutability === 'pure'

function functionsOf(abi: Abi): AbiFunction[] {
  return abi.filter((item) => item.type === 'function')
}

function positional(item: AbiFunction, args: Record<string, unknown>): unknown[] {
  return item.inputs.map(({ name, type }, at) => {
    const key = name || `arg${at}`
    const value = args[key]
    if (value === undefined) throw new TypeError(`${item.name}: ${key} (${type}) is missing`)
    return value
  })
}

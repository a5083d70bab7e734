import { vaultRefusalKinds } from '@svc/contracts/chain-indexer/attempts'
import { type Abi, decodeErrorResult, type Hex, isHex, toFunctionSelector } from 'viem'
import { abis } from './abis.ts'

/** An error of `execute` that is a refusal of the mandate. */
export type RefusalKind = (typeof vaultRefusalKinds)[number]

type ArgumentValue = string | bigint | number | boolean

/** A decoded revert. */
export interface Revert {
  /** Name of the custom error, `Error` or `Panic`; null if none of our contracts declares it. */
  readonly name: string | null
  /** First four bytes; null if the revert has no data. */
  readonly selector: Hex | null
  /** Arguments by name; `arg0` for an unnamed one. */
  readonly args: Readonly<Record<string, ArgumentValue>>
  /** Set for the five refusals only. */
  readonly refusalKind: RefusalKind | null
  /** The target's own revert inside `TargetCallFailed`, of which the vault keeps the first 256 bytes. */
  readonly inner: Revert | null
  readonly data: Hex
}

const solidityErrors = [
  { type: 'error', name: 'Error', inputs: [{ name: 'message', type: 'string' }] },
  { type: 'error', name: 'Panic', inputs: [{ name: 'code', type: 'uint256' }] },
] as const

/** Every error of every contract, by selector. */
const errorsBySelector = new Map(
  [...Object.values<Abi>(abis).flat(), ...solidityErrors]
    .filter((item) => item.type === 'error')
    .map((item) => [toFunctionSelector(`${item.name}(${item.inputs.map(canonicalType).join(',')})`), item] as const),
)

function canonicalType(input: { readonly type: string }): string {
  return input.type
}

/** Every custom error that `decodeRevert` knows, by name. */
export const errorNames: readonly string[] = [...new Set([...errorsBySelector.values()].map(({ name }) => name))]

/** Decodes revert data. Never throws: data that cannot be decoded has no name. */
export function decodeRevert(data: Hex): Revert {
  const selector = data.length >= 10 ? (data.slice(0, 10).toLowerCase() as Hex) : null
  const unknown: Revert = { name: null, selector, args: {}, refusalKind: null, inner: null, data }
  const item = selector === null ? undefined : errorsBySelector.get(selector)
  if (item === undefined) return unknown
  let values: readonly unknown[]
  try {
    values = (decodeErrorResult({ abi: [item], data }).args ?? []) as readonly unknown[]
  } catch {
    return unknown
  }
  const args = Object.fromEntries(
    item.inputs.map((input, at) => [input.name || `arg${at}`, values[at] as ArgumentValue]),
  )
  const reason = item.name === 'TargetCallFailed' ? args['reason'] : undefined
  return {
    ...unknown,
    name: item.name,
    args,
    refusalKind: vaultRefusalKinds.find((kind) => kind === item.name) ?? null,
    inner: isHex(reason) ? decodeRevert(reason) : null,
  }
}

/** Members in which viem, wallets and nodes wrap errors. */
const WRAPPERS = ['data', 'raw', 'error', 'originalError', 'cause', 'info'] as const
const DEPTH_MAX = 12
/** JSON-RPC code of "execution reverted". */
const REVERTED = 3

/**
 * Finds and decodes the revert in an error of viem, a JSON-RPC error (code 3 with `data`), or one nested in another error,
 * as wallets do. Returns null if the error is not a revert.
 */
export function revertOf(error: unknown): Revert | null {
  const data = revertData(error, 0)
  return data === null ? null : decodeRevert(data)
}

function revertData(value: unknown, depth: number): Hex | null {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return null
  for (const key of WRAPPERS) {
    const inner: unknown = Reflect.get(value, key)
    if ((key === 'data' || key === 'raw') && isHex(inner) && inner.length % 2 === 0 && inner.length >= 10) return inner
    const found = revertData(inner, depth + 1)
    if (found !== null) return found
  }
  // A bare `revert()` comes with no data, or with empty data.
  return Reflect.get(value, 'code') === REVERTED ? '0x' : null
}

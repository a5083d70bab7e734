import { vaultRefusalKinds } from '@svc/contracts/chain-indexer/attempts'
import { type Abi, decodeErrorResult, type Hex, isHex, toFunctionSelector } from 'viem'
import { abis } from './abis.ts'

/** A revert of `execute` that is a refusal of the mandate. */
export type RefusalKind = (typeof vaultRefusalKinds)[number]

type ArgumentValue = string | bigint | number | boolean

/** A revert, read. */
export interface Revert {
  /** Name of the custom error, `Error` or `Panic`; null when none of our contracts declares it. */
  readonly name: string | null
  /** First four bytes; null when the revert carries no data. */
  readonly selector: Hex | null
  /** Arguments by name; `arg0` for a nameless one. */
  readonly args: Readonly<Record<string, ArgumentValue>>
  /** Set for the five refusals only. */
  readonly refusalKind: RefusalKind | null
  /** What the target itself reverted with, for `TargetCallFailed`; the vault keeps its first 256 bytes. */
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

/** Reads revert data. Never throws: what cannot be read keeps its bytes and has no name. */
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

/** Members under which viem, wallets and nodes put what they wrap. */
const WRAPPERS = ['data', 'raw', 'error', 'originalError', 'cause', 'info'] as const
const DEPTH_MAX = 12
/** JSON-RPC code of "execution reverted". */
const REVERTED = 3

/**
 * Finds and reads the revert in whatever reports it: an error of viem, a JSON-RPC error (code 3 with `data`), or one
 * nested in another as wallets do. Null when it reports no revert.
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

import type { Address } from 'viem'
import { type AbiOf, abis, type ContractName } from './abis.ts'
import type { Chain } from './chain.ts'
import { type PrepareOf, prepareFor, type ReadOf, readFrom } from './contract-at.ts'

type Prepare = { readonly [N in ContractName]: (to: Address) => PrepareOf<AbiOf<N>> }
type Read = { readonly [N in ContractName]: (at: Address) => ReadOf<AbiOf<N>> }

/**
 * Returns functions that encode calls of every contract: `prepare(chainId).vault(address).execute({ target, data,
 * approveAmount })` is what a wallet sends. They send nothing and need no RPC.
 */
export function prepare(chainId: number): Prepare {
  return each((name) => (to: Address) => prepareFor(abis[name], to, chainId)) as unknown as Prepare
}

/** Returns the views of every contract: `await read(chain).vault(address).usage()`. */
export function read(chain: Chain): Read {
  return each((name) => (at: Address) => readFrom(abis[name], chain, at)) as unknown as Read
}

const names = Object.keys(abis) as ContractName[]

function each<T>(make: (name: ContractName) => T): Record<ContractName, T> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<ContractName, T>
}

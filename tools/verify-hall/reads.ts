import type { Chain, Deployment } from '@svc/chain'
import { refusedCalls } from './refusals.ts'
import { readVault, stateAt, type State, type VaultOnChain } from './vault-on-chain.ts'

/** Reads of the chain; each is made once, however many pages name it. */
export interface Reads {
  readonly chain: Chain
  readonly deployment: Deployment
  vault(named: Parameters<typeof readVault>[2], head: bigint): Promise<VaultOnChain>
  state(vault: VaultOnChain, block: bigint): Promise<State>
  refused(vault: VaultOnChain, to: bigint): Promise<ReadonlyMap<string, number>>
}

/** Opens the reads of a chain. */
export function openReads(chain: Chain, deployment: Deployment): Reads {
  const vaults = once<VaultOnChain>()
  const states = once<State>()
  const refused = once<ReadonlyMap<string, number>>()
  return {
    chain,
    deployment,
    vault: (named, head) =>
      vaults(`${named.vault} ${named.publicId} ${head}`, () => readVault(chain, deployment, named, head)),
    state: (vault, block) => states(`${vault.address} ${block}`, () => stateAt(chain, deployment, vault, block)),
    refused: (vault, to) => refused(`${vault.address} ${to}`, () => refusedCalls(chain, vault, to)),
  }
}

function once<T>(): (key: string, read: () => Promise<T>) => Promise<T> {
  const known = new Map<string, Promise<T>>()
  return (key, read) => {
    const reading = known.get(key) ?? read()
    known.set(key, reading)
    return reading
  }
}

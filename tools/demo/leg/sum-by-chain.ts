/**
 * Adds the money of a mandate up from `eth_call`s alone. Deliberately shares no code with the other two sums: selectors
 * are those of the ABI, and words are decoded here. Base units of USDC, at one block.
 */
export interface ChainSum {
  /** USDC that the vault's own books account for. */
  readonly vault: bigint
  /** What went from the vault to the leg, and what came back, since its creation. */
  readonly funded: bigint
  readonly returned: bigint
  /** USDC tokens of the vault. */
  readonly held: bigint
  readonly block: bigint
}

const SELECTORS = {
  balanceOf: '0x70a08231',
  accounted: '0x19f8dcf1',
  legFunded: '0x6b5f6bce',
  legReturned: '0xf22e23e6',
} as const

export async function sumByChain(at: {
  readonly rpcUrl: string
  readonly usdc: string
  readonly vault: string
}): Promise<ChainSum> {
  const rpc = async (method: string, params: readonly unknown[]): Promise<string> => {
    const answer = await fetch(at.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await answer.json()) as { result?: string; error?: { message: string } }
    if (result === undefined) throw new Error(`${method}: ${error?.message ?? answer.status}`)
    return result
  }
  const block = await rpc('eth_blockNumber', [])
  const word = async (to: string, data: string) => BigInt(await rpc('eth_call', [{ to, data }, block]))
  return {
    block: BigInt(block),
    vault: await word(at.vault, SELECTORS.accounted),
    funded: await word(at.vault, SELECTORS.legFunded),
    returned: await word(at.vault, SELECTORS.legReturned),
    held: await word(at.usdc, `${SELECTORS.balanceOf}${at.vault.slice(2).toLowerCase().padStart(64, '0')}`),
  }
}

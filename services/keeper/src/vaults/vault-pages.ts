import { getAddress, type Address } from 'viem'
import type { Context } from '#context.ts'
import type { FollowedVault } from './read-vault.ts'

/** Maximum number of pages, each of 100 vaults, that one run reads. */
const PAGES_MAX = 10_000

/**
 * Reads the vaults whose worth is followed, page by page: the list from mandates, the terms from chain-indexer. A vault that
 * chain-indexer has not found yet waits for the next run.
 */
export async function* vaultPages({ ask, chain }: Context): AsyncGenerator<readonly FollowedVault[]> {
  let after: string | undefined
  for (let page = 0; page < PAGES_MAX; page++) {
    const { vaults: all } = await ask.mandates.listVaultsToMark(after === undefined ? {} : { after })
    const last = all.at(-1)
    if (last === undefined) return
    after = last.public_id
    const listed = all.filter(({ chain_id }) => chain_id === chain?.id)
    if (listed.length === 0) continue
    const { vaults: known } = await ask.chain.readVaults({ vaults: listed.map(({ vault }) => vault) })
    const found = new Map(known.filter(({ canonical }) => canonical).map((row) => [getAddress(row.vault), row]))
    yield listed.flatMap(({ public_id, vault, state, newest }): FollowedVault[] => {
      const row = found.get(getAddress(vault))
      if (row === undefined) return []
      const targets = new Set<Address>(row.terms.calls.map(({ target }) => getAddress(target)))
      return [
        {
          publicId: public_id,
          vault: getAddress(vault),
          state,
          newest,
          version: row.version,
          usdc: getAddress(row.terms.usdc),
          stopLine: BigInt(row.terms.stop_line),
          targets: [...targets],
        },
      ]
    })
  }
}

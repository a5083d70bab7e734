import { causeOf, headNumber, inParallel, readHeader, RpcInconsistent, RpcUnavailable, type Chain } from '@svc/chain'
import { isOutage } from '@svc/service'
import type { Context } from '#context.ts'
import { readLegs } from './read-legs.ts'
import { readVault, type FollowedVault, type VaultReading } from './read-vault.ts'

/**
 * Reads vaults on the state after the newest block. Logs and leaves out a vault that cannot be read, so that the others
 * are still read. Rejects with an outage if the RPC is unavailable, or if the block was replaced meanwhile.
 */
export async function readVaults(
  context: Context,
  chain: Chain,
  vaults: readonly FollowedVault[],
  signal: AbortSignal,
): Promise<readonly VaultReading[]> {
  // Legs first: money that left the account before that reading is then under way or in the vault at the block.
  const legs = await legsOf(context, vaults)
  const block = await readHeader(chain, await headNumber(chain, signal), signal)
  const readings = await inParallel(vaults, async (followed) => {
    try {
      return await readVault({ ...context, legs }, chain, followed, block, signal)
    } catch (error) {
      if (!isOutage(error) || causeOf(error, RpcUnavailable) !== null) throw error
      context.log.warn({ err: error, public_id: followed.publicId, vault: followed.vault }, 'vault not read')
      return null
    }
  })
  // The views of a vault are several calls by the number of the block: figures of two blocks belong to no state of the chain.
  const { hash } = await readHeader(chain, block.number, signal)
  if (hash !== block.hash) throw new RpcInconsistent(`block ${block.number} was replaced while vaults were read`)
  return readings.filter((reading) => reading !== null)
}

/** With the leg switched off only vaults that can have money out are asked for. */
async function legsOf(context: Context, vaults: readonly FollowedVault[]) {
  const asked = vaults.filter(({ version }) => version === 2 || context.settings.legEnabled)
  return readLegs(
    context,
    asked.map(({ publicId }) => publicId),
  )
}

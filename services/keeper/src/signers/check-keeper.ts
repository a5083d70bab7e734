import { read, type Chain } from '@svc/chain'
import { SettingError } from '@svc/contract'
import { isOutage, type Log } from '@svc/service'
import { isAddressEqual } from 'viem'
import type { Signer } from './signer.ts'

/**
 * Makes sure that the signing account is the keeper of the configured factories, whose vaults take marks from nobody
 * else. Rejects with `SettingError`; a chain that does not answer is no reason not to start, as each call is tried before
 * it is sent.
 */
export async function checkKeeper(chain: Chain, signer: Signer, log: Log): Promise<void> {
  const { factory, factoryV2 } = chain.addresses
  for (const address of [factory, factoryV2]) {
    if (address === null) continue
    try {
      const keeper = await read(chain).factory(address).keeper()
      if (!isAddressEqual(keeper, signer.address))
        throw new SettingError(
          `The signing account ${signer.address} is not the keeper of the factory ${address}, which is ${keeper}: sign with that account, or name another keeper by setKeeper.`,
        )
    } catch (error) {
      if (!isOutage(error)) throw error
      log.warn({ err: error }, 'the keeper of the factories is not checked: the chain does not answer')
      return
    }
  }
}

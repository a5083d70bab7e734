import { read, type Chain } from '@svc/chain'
import { SettingError } from '@svc/contract'
import { isOutage, type Log } from '@svc/service'
import { isAddressEqual } from 'viem'
import type { Signer } from './signer.ts'

/**
 * Verifies that the signing account is the keeper of the configured factories, because their vaults accept marks only from
 * the keeper. Rejects with `SettingError` if it is not. Resolves with a warning if the chain does not answer: each call is
 * tried before it is sent.
 */
export async function checkKeeper(chain: Chain, signer: Signer, log: Log): Promise<void> {
  const { factory, factoryV2 } = chain.addresses
  for (const address of [factory, factoryV2]) {
    if (address === null) continue
    try {
      const keeper = await read(chain).factory(address).keeper()
      if (!isAddressEqual(keeper, signer.address))
        throw new SettingError(
          `The signing account ${signer.address} is not the keeper of the factory ${address}, whose keeper is ${keeper}: sign with that account, or change the keeper with setKeeper.`,
        )
    } catch (error) {
      if (!isOutage(error)) throw error
      log.warn({ err: error }, 'the keeper of the factories could not be checked: the chain does not answer')
      return
    }
  }
}

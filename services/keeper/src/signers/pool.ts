import { SettingError, type SettingsOf } from '@svc/contract'
import type { keeperSettings } from '@svc/contracts/keeper/settings'
import { signPoolSend } from '@svc/hyperliquid/signing'
import { getAddress, isAddressEqual, type Address, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Signer } from './signer.ts'

type PoolSend = Parameters<typeof signPoolSend>[1]

/** The house pool, which lends test money to legs. */
export interface HousePool {
  readonly address: Address
  /** Signs on the chain as the gateway's operator. */
  readonly signer: Signer
  /** Signs the one action of the pool at the venue; returns the bytes to send. */
  signSend(send: PoolSend): Promise<string>
}

/**
 * Opens the pool with its key; null without a key. Throws `SettingError`: on mainnet, and for a key of another address. No
 * message contains a part of the key.
 */
export function openPool({
  network,
  poolKey,
  poolAddress,
}: Pick<SettingsOf<typeof keeperSettings>, 'network' | 'poolKey' | 'poolAddress'>): HousePool | null {
  if (poolKey === null) return null
  if (network === 'mainnet')
    throw new SettingError(
      'HUB_HL_TEST_POOL_KEY is for the test network of the venue: unset it, or set HUB_HL_NETWORK=testnet.',
    )
  if (poolAddress === null) throw new SettingError('HUB_HL_TEST_POOL_KEY needs HUB_HL_TEST_POOL_ADDRESS.')
  const account = accountOf(poolKey)
  if (!isAddressEqual(account.address, getAddress(poolAddress)))
    throw new SettingError(
      `pool_address_mismatch: HUB_HL_TEST_POOL_KEY belongs to ${account.address}, and HUB_HL_TEST_POOL_ADDRESS is ${poolAddress}: give the key of that address.`,
    )
  return {
    address: account.address,
    signer: { address: account.address, sign: (transaction) => account.signTransaction(transaction) },
    signSend: (send) => signPoolSend(account, send),
  }
}

function accountOf(key: string) {
  try {
    return privateKeyToAccount((key.startsWith('0x') ? key : `0x${key}`) as Hex)
  } catch {
    // The library's message may contain the key.
    throw new SettingError('HUB_HL_TEST_POOL_KEY is not a private key.')
  }
}

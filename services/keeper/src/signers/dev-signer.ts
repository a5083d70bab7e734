import { localNodeProblem } from '@svc/chain'
import { SettingError } from '@svc/contract'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Signer } from './signer.ts'

/** The settings that ask for a dev signer: the switch, and the one with its key. */
interface DevSettings {
  readonly switch: string
  readonly key: string
  /** What to do instead at another node. */
  readonly instead?: string
}

const OF_MARKS: DevSettings = {
  switch: 'HUB_KEEPER_MARK_SIGNER=dev',
  key: 'HUB_KEEPER_MARK_DEV_KEY',
  instead: ' Use HUB_KEEPER_MARK_SIGNER=cdp.',
}

/**
 * Returns a signer with a key from the settings, for a test node of this machine. Rejects with `SettingError` for any other
 * node.
 */
export async function devSigner(
  rpcUrl: string | null,
  key: string | null,
  named: DevSettings = OF_MARKS,
): Promise<Signer> {
  if (rpcUrl === null)
    throw new SettingError(`${named.switch} needs HUB_RPC_URL, the address of an anvil of this machine.`)
  const problem = await localNodeProblem(rpcUrl)
  if (problem !== null)
    throw new SettingError(
      `${named.switch} is for an anvil of this machine with chain 31337 only: ${problem}.${named.instead ?? ''}`,
    )
  if (key === null) throw new SettingError(`${named.switch} needs ${named.key}.`)
  const account = accountOf(key, named.key)
  return { address: account.address, sign: (transaction) => account.signTransaction(transaction) }
}

function accountOf(key: string, name: string) {
  try {
    return privateKeyToAccount((key.startsWith('0x') ? key : `0x${key}`) as Hex)
  } catch {
    // The library's message may contain the key.
    throw new SettingError(`${name} is not a private key.`)
  }
}

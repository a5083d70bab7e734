import { localNodeProblem } from '@svc/chain'
import { SettingError } from '@svc/contract'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Signer } from './signer.ts'

/** Returns a signer with a key from the settings, for a test node of this machine. Rejects with `SettingError` for any other node. */
export async function devSigner(rpcUrl: string | null, key: string | null): Promise<Signer> {
  if (rpcUrl === null)
    throw new SettingError('HUB_KEEPER_MARK_SIGNER=dev needs HUB_RPC_URL, the address of an anvil of this machine.')
  const problem = await localNodeProblem(rpcUrl)
  if (problem !== null)
    throw new SettingError(
      `HUB_KEEPER_MARK_SIGNER=dev is for an anvil of this machine with chain 31337 only: ${problem}. Use HUB_KEEPER_MARK_SIGNER=cdp.`,
    )
  if (key === null) throw new SettingError('HUB_KEEPER_MARK_SIGNER=dev needs HUB_KEEPER_MARK_DEV_KEY.')
  const account = accountOf(key)
  return { address: account.address, sign: (transaction) => account.signTransaction(transaction) }
}

function accountOf(key: string) {
  try {
    return privateKeyToAccount((key.startsWith('0x') ? key : `0x${key}`) as Hex)
  } catch {
    // The library's message may contain the key.
    throw new SettingError('HUB_KEEPER_MARK_DEV_KEY is not a private key.')
  }
}

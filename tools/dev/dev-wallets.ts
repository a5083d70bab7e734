import { pbkdf2Sync } from 'node:crypto'
import { localNodeProblem } from '@svc/chain'
import { LOCAL_CHAIN_ID, ServerProblem } from '@svc/servers'
import { HDKey, hdKeyToAccount, type HDAccount } from 'viem/accounts'

/** The test mnemonic of Ethereum's tools: its keys are public, and robots empty them on public chains. */
const PUBLIC_MNEMONIC = 'test test test test test test test test test test test junk'

/** Wallets of the local chain, with 10,000 test ETH each from the first block on. */
export interface DevWallets {
  /** Deploys and owns the test contracts. */
  readonly admin: HDAccount
  /** Marks, settles and moves leg money. */
  readonly keeper: HDAccount
  /** Owns the pool of the test gateway. */
  readonly operator: HDAccount
  /** Receives the builder fee of orders at the local venue. */
  readonly builder: HDAccount
  /** Pays gas drips. */
  readonly funder: HDAccount
  /** Free for experiments. */
  readonly demo: readonly [HDAccount, HDAccount, HDAccount]
}

/**
 * Returns the wallets with public keys. Throws `ServerProblem` unless the RPC is a test node of this machine with the
 * local chain id: nothing of value may be signed with these keys.
 */
export async function devWallets(rpcUrl: string): Promise<DevWallets> {
  const problem = await localNodeProblem(rpcUrl)
  if (problem !== null)
    throw new ServerProblem(
      `The test wallets are for a test node of this machine with chain ${LOCAL_CHAIN_ID} only: ${problem}.`,
    )
  // BIP-39 with Node's native code: in JavaScript its 2,048 rounds take most of a second.
  const root = HDKey.fromMasterSeed(pbkdf2Sync(PUBLIC_MNEMONIC, 'mnemonic', 2048, 64, 'sha512'))
  const wallet = (addressIndex: number) => hdKeyToAccount(root, { addressIndex })
  return {
    admin: wallet(0),
    keeper: wallet(1),
    operator: wallet(2),
    builder: wallet(6),
    funder: wallet(7),
    demo: [wallet(3), wallet(4), wallet(5)],
  }
}

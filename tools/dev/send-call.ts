import { waitForReceipt, type Chain, type PreparedCall } from '@svc/chain'
import { ServerProblem } from '@svc/servers'
import { createWalletClient, http, type Hex } from 'viem'
import type { HDAccount } from 'viem/accounts'

export function walletClient(url: string, account: HDAccount) {
  return createWalletClient({ account, transport: http(url) })
}

/** Sends a call and waits until it is mined. Throws `ServerProblem` if it reverts. */
export async function send(chain: Chain, url: string, account: HDAccount, { to, data }: PreparedCall): Promise<Hex> {
  const hash = await walletClient(url, account).sendTransaction({ chain: null, to, data })
  const { status } = await waitForReceipt(chain, hash)
  if (status !== 'success') throw new ServerProblem(`Transaction ${hash} to ${to} reverted.`)
  return hash
}

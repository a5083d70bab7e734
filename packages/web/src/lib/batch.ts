import type { Patience } from './receipts.ts'
import { ask, hexOf, WalletFault, type CheckedCall, type Hex, type Network, type Signer } from './wallet.ts'

/** Returns true if the wallet takes several calls in one prompt, all or none of them (EIP-5792). Any doubt is a no. */
export async function takesBatches({ provider, account }: Signer, { id }: Network): Promise<boolean> {
  try {
    const capabilities = await ask(provider, 'wallet_getCapabilities', [account, [hexOf(id)]])
    const ofChain = (capabilities as Record<string, { atomic?: { status?: unknown } }> | null)?.[hexOf(id)]
    return ofChain?.atomic?.status === 'supported' || ofChain?.atomic?.status === 'ready'
  } catch {
    return false
  }
}

/**
 * Sends checked calls in one prompt, and returns the hash of their transaction once it is mined. Throws `WalletFault`,
 * also if the wallet gave up on the calls.
 */
export async function sendBatch(
  { provider, account }: Signer,
  { id }: Network,
  calls: readonly CheckedCall[],
  { everyMs, looksMax, pause }: Patience,
): Promise<Hex> {
  const sent = await ask(provider, 'wallet_sendCalls', [
    {
      version: '2.0.0',
      from: account,
      chainId: hexOf(id),
      atomicRequired: true,
      calls: calls.map(({ to, data }) => ({ to, data, value: '0x0' })),
    },
  ])
  const bundle = typeof sent === 'string' ? sent : (sent as { id?: unknown } | null)?.id
  if (typeof bundle !== 'string' || bundle === '') throw new WalletFault('failed', 'no id of the calls')
  for (let look = 0; look < looksMax; look += 1) {
    const status = (await ask(provider, 'wallet_getCallsStatus', [bundle])) as {
      status?: unknown
      receipts?: readonly { transactionHash?: unknown }[]
    } | null
    const code = typeof status?.status === 'number' ? status.status : 0
    const hash = status?.receipts?.[0]?.transactionHash
    if (code >= 200 && typeof hash === 'string' && /^0x[0-9a-fA-F]{64}$/.test(hash)) return hash as Hex
    if (code >= 400) throw new WalletFault('failed', `status ${code}`)
    await pause(everyMs)
  }
  throw new WalletFault('failed', 'no receipt of the calls')
}

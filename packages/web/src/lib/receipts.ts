import type { Address, Hex, Provider } from './wallet.ts'

/** What became of a sent transaction. `dropped`: no node knows it any more; `replaced`: another one took its place. */
export type Fate = 'succeeded' | 'reverted' | 'dropped' | 'replaced'

/** A sent transaction as this page remembers it. */
export interface Sent {
  readonly hash: Hex
  readonly from: Address
  /** Number of the transaction in its account; null if the wallet did not tell. */
  readonly nonce: number | null
}

/** How often and how long the page looks. */
export interface Patience {
  readonly everyMs: number
  /** Looks in a row at which nobody knows the transaction, before it counts as dropped. */
  readonly unknownMax: number
  readonly looksMax: number
  readonly pause: (ms: number) => Promise<void>
}

/** Reads the chain through the wallet; null for what the wallet cannot tell. */
async function read(provider: Provider, method: string, params: readonly unknown[]): Promise<unknown> {
  try {
    return (await provider.request({ method, params })) ?? null
  } catch {
    return null
  }
}

const numberOf = (value: unknown): number | null =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{1,13}$/.test(value) ? Number(value) : null

/** Returns the number of transactions of an account, with those that wait for a block; null if the wallet does not tell. */
export const countOf = async (
  provider: Provider,
  account: Address,
  upTo: 'latest' | 'pending' = 'pending',
): Promise<number | null> => numberOf(await read(provider, 'eth_getTransactionCount', [account, upTo]))

/** Returns what a receipt says of a transaction; null while there is none. */
export async function receiptOf(provider: Provider, hash: Hex): Promise<'succeeded' | 'reverted' | null> {
  const receipt = await read(provider, 'eth_getTransactionReceipt', [hash])
  if (typeof receipt !== 'object' || receipt === null || !('status' in receipt)) return null
  return receipt.status === '0x1' ? 'succeeded' : 'reverted'
}

/** Looks until the fate of a transaction is known; null if it is not after `looksMax` looks. */
export async function followTransaction(
  provider: Provider,
  { hash, from, nonce }: Sent,
  { everyMs, unknownMax, looksMax, pause }: Patience,
): Promise<Fate | null> {
  let number = nonce
  let unknown = 0
  for (let look = 0; look < looksMax; look += 1) {
    const receipt = await receiptOf(provider, hash)
    if (receipt !== null) return receipt
    const known = await read(provider, 'eth_getTransactionByHash', [hash])
    if (typeof known === 'object' && known !== null) {
      unknown = 0
      number = numberOf('nonce' in known ? known.nonce : null) ?? number
    } else {
      unknown += 1
      const mined = number === null ? null : await countOf(provider, from, 'latest')
      // Another transaction with this number is in the chain. The receipt may have come since the look above.
      if (number !== null && mined !== null && mined > number) return (await receiptOf(provider, hash)) ?? 'replaced'
      if (unknown >= unknownMax) return 'dropped'
    }
    await pause(everyMs)
  }
  return null
}

const addressWord = (address: Address) => address.slice(2).toLowerCase().padStart(64, '0')

/** Returns the USDC of an account in base units; null if the wallet cannot tell. */
export async function usdcOf(provider: Provider, usdc: Address, account: Address): Promise<bigint | null> {
  const answer = await read(provider, 'eth_call', [{ to: usdc, data: `0x70a08231${addressWord(account)}` }, 'latest'])
  return typeof answer === 'string' && /^0x[0-9a-fA-F]{64}$/.test(answer) ? BigInt(answer) : null
}

/** Returns how much of an account's USDC another address may take, in base units; null if the wallet cannot tell. */
export async function allowanceOf(
  provider: Provider,
  usdc: Address,
  account: Address,
  spender: Address,
): Promise<bigint | null> {
  const data = `0xdd62ed3e${addressWord(account)}${addressWord(spender)}`
  const answer = await read(provider, 'eth_call', [{ to: usdc, data }, 'latest'])
  return typeof answer === 'string' && /^0x[0-9a-fA-F]{64}$/.test(answer) ? BigInt(answer) : null
}

/** Returns the ether of an account in wei; null if the wallet cannot tell. */
export async function etherOf(provider: Provider, account: Address): Promise<bigint | null> {
  const answer = await read(provider, 'eth_getBalance', [account, 'latest'])
  return typeof answer === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(answer) ? BigInt(answer) : null
}

/** Returns the address that a factory's call answers with, such as that of a vault before it is created; null if unknown. */
export async function addressCalled(provider: Provider, to: Address, data: Hex): Promise<Address | null> {
  const answer = await read(provider, 'eth_call', [{ to, data }, 'latest'])
  return typeof answer === 'string' && /^0x0{24}[0-9a-fA-F]{40}$/.test(answer) ? `0x${answer.slice(26)}` : null
}

import { inParallel, type Chain, type PreparedCall } from '@svc/chain'
import { rpc } from '@svc/servers'
import type { Address, Hex, LocalAccount } from 'viem'

/** A transaction in its block. */
export interface Mined {
  readonly hash: Hex
  readonly success: boolean
  readonly block: number
  readonly logs: readonly { readonly address: Address; readonly topics: readonly Hex[]; readonly data: Hex }[]
}

/** Sends transactions of many accounts and mines them together, on a chain whose time the caller sets. */
export interface Batches {
  /** Signs and sends; resolves with the hash. The transaction waits until `mine`. */
  send(account: LocalAccount, call: Pick<PreparedCall, 'to' | 'data'> & { readonly value?: bigint }): Promise<Hex>
  /** Mines what waits and returns it by hash, reverted transactions included. */
  mine(): Promise<ReadonlyMap<Hex, Mined>>
  /** Lets the following blocks have this time or a later one, and mines an empty block. */
  travelTo(time: Date): Promise<void>
  /** Number of transactions that wait, of others too. */
  waiting(): Promise<number>
  newestBlock(): Promise<number>
  /** Newest block with a transaction of `send`; 0 before the first. */
  lastMined(): number
}

/** Creating a vault takes the most. */
const GAS = 2_500_000n
/** A full block raises the price of gas by an eighth; what is not used is not paid. */
const FEE_MAX = 200_000_000_000n
const BLOCKS_MAX = 200

interface RawReceipt {
  readonly status: Hex
  readonly blockNumber: Hex
  readonly logs: Mined['logs']
}

export function openBatches(url: string, chain: Pick<Chain, 'id'>): Batches {
  const nonces = new Map<Address, number>()
  let sent: Hex[] = []
  let lastMined = 0
  const waiting = async () => {
    const { pending, queued } = (await rpc(url, 'txpool_status')) as { pending: Hex; queued: Hex }
    return Number(pending) + Number(queued)
  }
  const nonceOf = async (address: Address): Promise<number> => {
    const known = nonces.get(address)
    const nonce = known ?? Number(await rpc(url, 'eth_getTransactionCount', [address, 'latest']))
    // Another call may have asked for the first nonce at the same time.
    const next = Math.max(nonce, nonces.get(address) ?? 0)
    nonces.set(address, next + 1)
    return next
  }
  return {
    send: async (account, { to, data, value = 0n }) => {
      const nonce = await nonceOf(account.address)
      const raw = await account.signTransaction({
        chainId: chain.id,
        type: 'eip1559',
        to,
        data,
        value,
        nonce,
        gas: GAS,
        maxFeePerGas: FEE_MAX,
        maxPriorityFeePerGas: 0n,
      })
      const hash = (await rpc(url, 'eth_sendRawTransaction', [raw])) as Hex
      sent.push(hash)
      return hash
    },
    mine: async () => {
      for (let blocks = 0; blocks < BLOCKS_MAX; blocks += 1) {
        if ((await waiting()) === 0) break
        await rpc(url, 'evm_mine')
      }
      const hashes = sent
      sent = []
      const mined = await inParallel(hashes, async (hash): Promise<Mined> => {
        const receipt = (await rpc(url, 'eth_getTransactionReceipt', [hash])) as RawReceipt | null
        if (receipt === null) throw new Error(`the local chain mined no transaction ${hash}`)
        return { hash, success: Number(receipt.status) === 1, block: Number(receipt.blockNumber), logs: receipt.logs }
      })
      lastMined = Math.max(lastMined, ...mined.map(({ block }) => block))
      return new Map(mined.map((one) => [one.hash, one]))
    },
    travelTo: async (time) => {
      await rpc(url, 'evm_setTime', [Math.floor(time.getTime() / 1000)])
      await rpc(url, 'evm_mine')
    },
    waiting,
    newestBlock: async () => Number(await rpc(url, 'eth_blockNumber')),
    lastMined: () => lastMined,
  }
}

import type { Address, Hex } from 'viem'
import { eventually, type DisposableAnvil } from '../src/index.ts'

interface Receipt {
  readonly contractAddress: Address
}

/** First account of anvil's test mnemonic; the node signs for it. */
const ACCOUNT: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
/** Leaves one log with one topic and no data whenever it is called. */
const EMITTER: Hex = '0x67600160006000a10060005260086018f3'

/** Sends a transaction and answers its hash once it is mined. */
export async function send(anvil: DisposableAnvil, transaction: { to?: Address; data?: Hex }): Promise<Hex> {
  const hash = await anvil.request<Hex>('eth_sendTransaction', [{ from: ACCOUNT, gas: '0x30d40', ...transaction }])
  await eventually(async () => (await anvil.request('eth_getTransactionReceipt', [hash])) !== null, { everyMs: 2 })
  return hash
}

/** A contract whose calls leave a log. */
export async function deployEmitter(anvil: DisposableAnvil): Promise<Address> {
  const hash = await send(anvil, { data: EMITTER })
  return (await anvil.request<Receipt>('eth_getTransactionReceipt', [hash])).contractAddress
}

import { disposableAnvil, rpcFaultProxy, type DisposableAnvil, type RpcFaultProxy } from '@svc/testing'
import { createWalletClient, http, type Account, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import {
  chainOf,
  deployContracts,
  type Chain,
  type Deployment,
  type PreparedCall,
  type RpcOptions,
  waitForReceipt,
} from '../src/index.ts'

/** The accounts of anvil's public mnemonic. */
const account = (index: number): Account =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: index })
export const [admin, keeper, operator, owner, agent, stranger, feeRecipient] = [0, 1, 2, 3, 4, 5, 6].map(account) as [
  Account,
  Account,
  Account,
  Account,
  Account,
  Account,
  Account,
]

export interface TestChain {
  readonly anvil: DisposableAnvil
  readonly proxy: RpcFaultProxy
  /** Over the fault proxy. */
  readonly chain: Chain
  readonly deployment: Deployment
  at(name: keyof Deployment['contracts']): Hex
  /** Sends a call and waits until it is mined; answers its transaction hash, whatever the call did. */
  send(from: Account, call: Pick<PreparedCall, 'to' | 'data'>): Promise<Hex>
  /** Sends a call; answers its transaction hash at once. */
  submit(from: Account, call: Pick<PreparedCall, 'to' | 'data'>): Promise<Hex>
  stop(): Promise<void>
}

const FAST: RpcOptions = { timeoutMs: 2_000, retriesMax: 2, pauseMs: 5 }

/** A chain of its own with the contracts deployed, behind a proxy with faults. */
export async function testChain(): Promise<TestChain> {
  const anvil = await disposableAnvil()
  const proxy = await rpcFaultProxy(anvil.url)
  const wallet = (from: Account) => createWalletClient({ account: from, transport: http(anvil.url) })
  const direct = chainOf({ rpcUrl: anvil.url, id: anvil.chainId })
  const deployment = await deployContracts(direct, wallet(admin), {
    keeper: keeper.address,
    operator: operator.address,
  })
  const submit: TestChain['submit'] = (from, { to, data }) =>
    wallet(from).sendTransaction({ chain: null, to, data, gas: 3_000_000n })
  const { usdc, factory, factory_v2, leg_gateway, venue } = deployment.contracts
  return {
    anvil,
    proxy,
    chain: chainOf({
      ...FAST,
      rpcUrl: proxy.url,
      id: anvil.chainId,
      confirmations: 0,
      addresses: {
        usdc: usdc.address,
        factory: factory.address,
        factoryV2: factory_v2.address,
        legGateway: leg_gateway.address,
        testVenues: [venue.address],
      },
    }),
    deployment,
    at: (name) => deployment.contracts[name].address,
    send: async (from, call) => {
      const hash = await submit(from, call)
      await waitForReceipt(direct, hash)
      return hash
    },
    submit,
    stop: async () => {
      await proxy.stop()
      await anvil.stop()
    },
  }
}

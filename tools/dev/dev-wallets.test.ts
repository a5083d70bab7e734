import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { devWallets } from './dev-wallets.ts'

let node: Server | null = null
afterEach(() => node?.close())

/** A node with this chain id that knows the given methods besides. */
async function nodeOf(chainId: number, methods: readonly string[]): Promise<string> {
  node = createServer((request, response) => {
    void json(request).then((call) => {
      const { method } = call as { method: string }
      const known = method === 'eth_chainId' ? `0x${chainId.toString(16)}` : methods.includes(method) ? {} : null
      const answer = known === null ? { error: { code: -32601, message: 'no such method' } } : { result: known }
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...answer }))
    })
  })
  await new Promise<void>((resolve) => void node?.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(node.address() as AddressInfo).port}`
}

test('the public test keys are the ones that every Ethereum tool knows', async () => {
  const { admin, keeper, operator, builder, funder, demo } = await devWallets(await nodeOf(31337, ['anvil_nodeInfo']))
  expect([admin, keeper, operator, ...demo, builder, funder].map(({ address }) => address)).toEqual([
    '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
    '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
    '0x976EA74026E726554dB657fA54763abd0C3a0aa9',
    '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955',
  ])
})

test('they are not given out for another machine, another chain or another node than anvil', async () => {
  for (const host of ['rpc.example', '10.0.0.1', '127.0.0.1.rpc.example', '0.0.0.0', '[::ffff:8.8.8.8]'])
    await expect(devWallets(`http://${host}:8545`)).rejects.toThrow('the RPC is on another machine')
  const public1 = await nodeOf(1, ['anvil_nodeInfo'])
  await expect(devWallets(public1)).rejects.toThrow('with chain 31337 only: the RPC serves chain 1.')
  node?.close()
  await expect(devWallets(await nodeOf(31337, []))).rejects.toThrow('the RPC is not anvil')
})

import { RemoteRefusal } from '@svc/service'
import { disposableAnvil, eventually, opened, rpcFaultProxy } from '@svc/testing'
import {
  concatHex,
  createTestClient,
  createWalletClient,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  http,
  parseAbi,
  publicActions,
  type Hex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import bytecode from './fixtures/contract-wallet.json' with { type: 'json' }
import { newWallet, openHarness, refused } from '../harness.ts'

const ERC6492_SUFFIX = '0x6492649264926492649264926492649264926492649264926492649264926492'
const factoryAbi = parseAbi([
  'function deploy(address owner, bytes32 salt) returns (address)',
  'function predict(address owner, bytes32 salt) view returns (address)',
])
// The first account that anvil gives money to.
const funded = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

let factory: Hex
const anvil = opened(() => disposableAnvil())
const rpc = opened(() => rpcFaultProxy(anvil.url))
const on = opened(() => openHarness({ HUB_RPC_URL: rpc.url, SVC_SIWE_CHAIN_ID: String(anvil.chainId) }))
beforeAll(async () => {
  factory = await deploy(bytecode.ContractWalletFactory as Hex)
})
// Sign-ins that ask the chain are counted by the minute.
beforeEach(() => on.clock.advance(60_000))

const chain = () =>
  createWalletClient({ account: funded, transport: http(anvil.url), chain: foundry }).extend(publicActions)

async function deploy(code: Hex, owner?: Hex): Promise<Hex> {
  const client = chain()
  const data =
    owner === undefined
      ? code
      : encodeDeployData({ abi: parseAbi(['constructor(address owner)']), bytecode: code, args: [owner] })
  const hash = await client.sendTransaction({ data })
  // viem's own wait looks again only when another block comes.
  const receipt = await eventually(() => client.getTransactionReceipt({ hash }))
  if (receipt.contractAddress === null || receipt.contractAddress === undefined) throw new Error('nothing was deployed')
  return receipt.contractAddress
}

const registerAt = async (wallet_address: Hex, sign: (message: string) => Promise<Hex>) => {
  const { message } = await on.challenge(wallet_address)
  return on.ask.registerAgent({ wallet_address, signature: await sign(message), agent_name: 'contract' })
}

test('a contract wallet registers with what its owner key signed (ERC-1271), and signs in', async () => {
  const owner = newWallet()
  const wallet = await deploy(bytecode.ContractWallet as Hex, owner.address)
  const sign = (message: string) => owner.signMessage({ message })
  const { api_key } = await registerAt(wallet, sign)
  expect((await on.resolveKey(api_key))?.wallet?.toLowerCase()).toBe(wallet)
  const { message } = await on.challenge(wallet, 'session')
  expect((await on.ask.openSession({ wallet_address: wallet, signature: await sign(message) })).ok).toBe(true)
})

test('a contract wallet that is not deployed yet registers with an ERC-6492 signature', async () => {
  const owner = newWallet()
  const salt: Hex = `0x${'05'.repeat(32)}`
  const wallet = await chain().readContract({
    address: factory,
    abi: factoryAbi,
    functionName: 'predict',
    args: [owner.address, salt],
  })
  const wrap = async (message: string, signer = owner): Promise<Hex> => {
    const call = encodeFunctionData({ abi: factoryAbi, functionName: 'deploy', args: [owner.address, salt] })
    const inner = await signer.signMessage({ message })
    return concatHex([
      encodeAbiParameters([{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }], [factory, call, inner]),
      ERC6492_SUFFIX,
    ])
  }
  expect(await refused(registerAt(wallet, (message) => wrap(message, newWallet())))).toMatchObject({
    status: 401,
    code: 'signature_invalid',
  })
  expect(await refused(registerAt(newWallet().address, (message) => wrap(message)))).toMatchObject({
    status: 401,
    code: 'signature_invalid',
  })
  expect((await registerAt(wallet, (message) => wrap(message))).ok).toBe(true)
  expect(await chain().getCode({ address: wallet })).toBeUndefined()
})

test('a contract wallet refuses what a stranger signed, and a contract that reverts refuses everything', async () => {
  const stranger = newWallet()
  const wallet = await deploy(bytecode.ContractWallet as Hex, newWallet().address)
  const reverting = await deploy(bytecode.RevertingWallet as Hex)
  for (const address of [wallet, reverting, factory]) {
    expect(await refused(registerAt(address, (message) => stranger.signMessage({ message })))).toMatchObject({
      status: 401,
      code: 'signature_invalid',
    })
  }
})

test.each<[string, Hex]>([
  ['burns all gas', '0x5b600056'],
  ['reverts with two megabytes, more than the check has gas to copy', '0x622000006000fd'],
  ['answers four bytes', '0x631626ba7e60e01b60005260046000f3'],
  ['answers the magic value with dirty bytes behind it', `0x7f1626ba7e${'ff'.repeat(28)}60005260206000f3`],
  ['destroys itself', '0x33ff'],
])('a contract that %s refuses what it is shown', async (_what, code) => {
  const { address } = newWallet()
  await createTestClient({ mode: 'anvil', transport: http(anvil.url) }).setCode({ address, bytecode: code })
  const stranger = newWallet()
  expect(await refused(registerAt(address, (message) => stranger.signMessage({ message })))).toMatchObject({
    status: 401,
    code: 'signature_invalid',
  })
})

test('a key pair signs in without the chain, and its malleable or foreign signatures are not accepted through the chain', async () => {
  const account = newWallet()
  expect((await registerAt(account.address, (message) => account.signMessage({ message }))).ok).toBe(true)
  const other = newWallet()
  const twisted = async (message: string) => {
    const signature = await other.signMessage({ message })
    return `${signature.slice(0, 130)}${signature.endsWith('1b') ? '00' : '01'}` as Hex
  }
  expect(await refused(registerAt(other.address, twisted))).toMatchObject({ code: 'signature_malleable' })
  expect(await refused(registerAt(other.address, (message) => account.signMessage({ message })))).toMatchObject({
    code: 'signature_invalid',
  })
  expect(await refused(registerAt(other.address, async () => '0x1234'))).toMatchObject({ code: 'signature_invalid' })
})

test('while the chain does not answer, a contract wallet gets 503 and its nonce stays open, and key pairs sign in', async () => {
  const owner = newWallet()
  const wallet = await deploy(bytecode.ContractWallet as Hex, owner.address)
  const { message } = await on.challenge(wallet)
  const input = { wallet_address: wallet, signature: await owner.signMessage({ message }), agent_name: 'a' }
  anvil.freeze()
  try {
    const failure = await on.ask.registerAgent(input).catch((error: unknown) => error)
    expect(failure).not.toBeInstanceOf(RemoteRefusal)
    expect(String(failure)).toContain('temporarily_unavailable')
    expect((await on.register()).answer.ok).toBe(true)
  } finally {
    anvil.thaw()
  }
  expect((await on.ask.registerAgent(input)).ok).toBe(true)
})

describe('sign-ins that ask the chain', () => {
  const undeployed = concatHex([
    encodeAbiParameters([{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }], [funded.address, '0x', '0x12']),
    ERC6492_SUFFIX,
  ])
  const send = (purpose: 'register' | 'session' | 'key', wallet_address: Hex, client: string) => {
    const input = { wallet_address, signature: undeployed }
    if (purpose === 'session') return on.ask.openSession(input, { client })
    if (purpose === 'key') return on.ask.createKey(input, { client })
    return on.ask.registerAgent({ ...input, agent_name: 'a' }, { client })
  }

  test('make one contract call each, however many messages are open', async () => {
    const { address } = newWallet()
    for (let count = 0; count < 8; count += 1) await on.challenge(address, 'session')
    rpc.forget()
    expect(await refused(send('session', address, '192.0.2.1'))).toMatchObject({ code: 'signature_invalid' })
    expect(rpc.seen('eth_call')).toHaveLength(1)
  })

  test('try the message that the caller requested, not those of strangers', async () => {
    const owner = newWallet()
    const wallet_address = await deploy(bytecode.ContractWallet as Hex, owner.address)
    const { message } = await on.ask.requestNonce({ wallet_address }, { client: '192.0.2.2' })
    for (let count = 0; count < 3; count += 1) await on.ask.requestNonce({ wallet_address }, { client: '192.0.2.3' })
    const input = { wallet_address, signature: await owner.signMessage({ message }), agent_name: 'a' }
    expect((await on.ask.registerAgent(input, { client: '192.0.2.2' })).ok).toBe(true)
  })

  test.each(['register', 'session', 'key'] as const)(
    'of purpose %s have an allowance of their own for each client address, beyond which the chain is not asked',
    async (purpose) => {
      const { address } = newWallet()
      const client = `192.0.2.1${purpose.length}`
      await on.challenge(address, purpose)
      for (let count = 0; count < 10; count += 1)
        expect(await refused(send(purpose, address, client))).toMatchObject({ code: 'signature_invalid' })
      rpc.forget()
      const { status, code, body } = await refused(send(purpose, address, client))
      expect({ status, code }).toEqual({ status: 429, code: 'rate_limited' })
      expect(body['violated-policies']).toEqual(['contract_wallet'])
      expect(rpc.seen()).toHaveLength(0)
      expect(await refused(send(purpose, address, '198.51.100.1'))).toMatchObject({ code: 'signature_invalid' })
    },
  )
})

test('an RPC of another chain than the messages name is never trusted', async () => {
  const owner = newWallet()
  const wallet = await deploy(bytecode.ContractWallet as Hex, owner.address)
  await on.restart({ SVC_SIWE_CHAIN_ID: '1' })
  const failure = await registerAt(wallet, (message) => owner.signMessage({ message })).catch((error: unknown) => error)
  expect(String(failure)).toContain('temporarily_unavailable')
  await on.restart({ HUB_RPC_URL: undefined })
  expect(await refused(registerAt(wallet, (message) => owner.signMessage({ message })))).toMatchObject({
    code: 'signature_invalid',
  })
})

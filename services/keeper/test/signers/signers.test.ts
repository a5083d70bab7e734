import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { loadSettings, type Environment } from '@svc/contract'
import { keeperSettings } from '@svc/contracts/keeper/settings'
import { disposableAnvil, type DisposableAnvil } from '@svc/testing'
import { parseTransaction } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { openSigners } from '#signers/open-signer.ts'
import { signChecked, type UnsignedTransaction } from '#signers/signer.ts'
import { openCdp, type CdpRig } from '../cdp-rig.ts'
import { KEEPER_KEY, wallets } from '../rig.ts'

const open = async (environment: Environment) => (await openSigners(loadSettings(keeperSettings, environment))).mark
const transaction: UnsignedTransaction = {
  type: 'eip1559',
  chainId: 31_337,
  nonce: 4,
  to: wallets.owner.address,
  data: '0x11da60b4',
  value: 0n,
  gas: 80_000n,
  maxFeePerGas: 3_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
}

describe('the dev signer', () => {
  const live = { HUB_KEEPER_MARK_SIGNER: 'dev', HUB_KEEPER_MARK_DEV_KEY: KEEPER_KEY, HUB_KEEPER_MARK_DRY_RUN: '0' }
  let anvil: DisposableAnvil
  let node: Server | null = null
  beforeAll(async () => {
    anvil = await disposableAnvil()
  })
  afterAll(() => anvil?.stop())
  afterEach(() => node?.close())

  /** A node with this chain id that knows the given methods besides. It breaks the first connections. */
  async function nodeOf(chainId: number, methods: readonly string[], broken = 0): Promise<string> {
    let left = broken
    node = createServer((request, response) => {
      if (left-- > 0) return void request.destroy()
      void json(request).then((call) => {
        const { method } = call as { method: string }
        const known = method === 'eth_chainId' ? `0x${chainId.toString(16)}` : methods.includes(method) ? {} : null
        response.end(JSON.stringify(known === null ? { error: { code: -32_601, message: 'no' } } : { result: known }))
      })
    })
    await new Promise<void>((resolve) => void node?.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(node.address() as AddressInfo).port}`
  }

  /** A local address that leads elsewhere. */
  async function sendsOnTo(url: string): Promise<string> {
    node = createServer((_request, response) => void response.writeHead(307, { location: url }).end())
    await new Promise<void>((resolve) => void node?.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(node.address() as AddressInfo).port}`
  }

  test('signs for an anvil of this machine, as the account of its key', async () => {
    const signer = await open({ ...live, HUB_RPC_URL: anvil.url })
    expect(signer?.address).toBe(wallets.keeper.address)
    const { raw } = await signChecked(signer ?? expect.fail(), transaction)
    expect(parseTransaction(raw)).toMatchObject({ nonce: 4, chainId: 31_337, to: wallets.owner.address.toLowerCase() })
  })

  test('is given if the node breaks a connection or two', async () => {
    const url = await nodeOf(31_337, ['anvil_nodeInfo'], 2)
    expect((await open({ ...live, HUB_RPC_URL: url }))?.address).toBe(wallets.keeper.address)
  })

  test('is refused for any other node with one sentence, in a dry run too', async () => {
    for (const dryRun of ['0', '1']) {
      const given = { ...live, HUB_KEEPER_MARK_DRY_RUN: dryRun }
      const message = async (more: Environment) =>
        open({ ...given, ...more }).then(
          () => 'taken',
          (error: Error) => error.message,
        )
      expect(await message({})).toMatch(/^HUB_KEEPER_MARK_SIGNER=dev needs HUB_RPC_URL/)
      for (const host of [
        'rpc.example',
        '10.0.0.1',
        '127.0.0.1.rpc.example',
        'localhost.rpc.example',
        'localhost@rpc.example',
        '127.0.0.1:8545@rpc.example',
        '0.0.0.0',
        '[::]',
        '[::ffff:10.0.0.1]',
        '[fe80::1]',
      ])
        expect(await message({ HUB_RPC_URL: `http://${host}:8545/secret-path` })).toBe(
          'HUB_KEEPER_MARK_SIGNER=dev is for an anvil of this machine with chain 31337 only: the RPC is on another machine. Use HUB_KEEPER_MARK_SIGNER=cdp.',
        )
      expect(await message({ HUB_RPC_URL: await nodeOf(8_453, ['anvil_nodeInfo']) })).toContain('serves chain 8453')
      node?.close()
      expect(await message({ HUB_RPC_URL: await nodeOf(31_337, []) })).toContain('the RPC is not anvil')
      node?.close()
      expect(await message({ HUB_RPC_URL: 'http://127.0.0.1:1' })).toContain('the RPC does not answer')
      expect(await message({ HUB_RPC_URL: await sendsOnTo(anvil.url) })).toContain('the RPC does not answer')
      node?.close()
      expect(await message({ HUB_RPC_URL: anvil.url, HUB_KEEPER_MARK_DEV_KEY: undefined })).toContain(
        'needs HUB_KEEPER_MARK_DEV_KEY',
      )
    }
  })

  test('never repeats an invalid key in its messages', async () => {
    for (const key of ['f'.repeat(64), '0'.repeat(64), 'abc', `0x${'zz'.repeat(32)}`]) {
      const failure = await open({ ...live, HUB_RPC_URL: anvil.url, HUB_KEEPER_MARK_DEV_KEY: key }).catch(String)
      expect(failure).toContain('HUB_KEEPER_MARK_DEV_KEY')
      expect(failure).not.toContain(key)
    }
  })
})

test('a dry run with the custodial signer needs no secret and signs nothing', async () => {
  expect(await open({})).toBeNull()
})

describe('the custodial signer', () => {
  let cdp: CdpRig
  beforeAll(async () => {
    cdp = await openCdp()
  })
  afterAll(() => cdp?.stop())
  afterEach(() => {
    cdp.trouble = null
    cdp.refused.length = 0
    vi.restoreAllMocks()
  })

  test('sends both tokens that the API requires and returns the transaction signed by the configured account', async () => {
    const calls = vi.spyOn(globalThis, 'fetch')
    const signer = (await open(cdp.environment)) ?? expect.fail()
    const { raw } = await signChecked(signer, transaction)
    expect(cdp.refused).toEqual([])
    expect(parseTransaction(raw)).toMatchObject({ nonce: 4, data: '0x11da60b4', gas: 80_000n })
    expect(signer.address).toBe(cdp.account.address)
    // The SDK would tell a statistics service of each call.
    expect(calls).not.toHaveBeenCalled()
  })

  test('uses one idempotency key per transaction, also in a repeated request', async () => {
    const signer = (await open(cdp.environment)) ?? expect.fail()
    const before = cdp.keys.length
    for (const nonce of [8, 8, 9]) await signChecked(signer, { ...transaction, nonce })
    const [first, again, other] = cdp.keys.slice(before)
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    expect([again, other === first]).toEqual([first, false])
  })

  test('rejects a signature of another transaction or by another account', async () => {
    const signer = (await open(cdp.environment)) ?? expect.fail()
    for (const trouble of ['other account', 'other call', 'not a transaction'] as const) {
      cdp.trouble = trouble
      await expect(signChecked(signer, { ...transaction, nonce: 20 }), trouble).rejects.toThrow(/^signer: /)
    }
  })

  test('fails with outages that contain no secret and no token', async () => {
    const signer = (await open(cdp.environment)) ?? expect.fail()
    for (const trouble of [401, 429, 500, 'closed'] as const) {
      cdp.trouble = trouble
      const failure: unknown = await signer.sign({ ...transaction, nonce: 30 }).catch((error: unknown) => error)
      expect(failure).toMatchObject({ name: 'Outage', reason: 'signer' })
      const everything = JSON.stringify(failure, Object.getOwnPropertyNames(failure)) + String(failure)
      for (const secret of [...cdp.secrets, 'eyJ']) expect(everything).not.toContain(secret)
      expect(failure).not.toHaveProperty('cause')
    }
  })

  test('a signature whose answer is lost is an outage after 20 seconds, and the same one when it is asked for again', async () => {
    const signer = (await open(cdp.environment)) ?? expect.fail()
    const before = cdp.keys.length
    cdp.trouble = 'silent'
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const failure = signer.sign({ ...transaction, nonce: 40 }).catch((error: unknown) => error)
      await expect.poll(() => cdp.keys.length).toBe(before + 1)
      await vi.advanceTimersByTimeAsync(20_000)
      expect(await failure).toMatchObject({ name: 'Outage', reason: 'signer' })
    } finally {
      vi.useRealTimers()
    }
    cdp.trouble = null
    const { raw } = await signChecked(signer, { ...transaction, nonce: 40 })
    expect(parseTransaction(raw)).toMatchObject({ nonce: 40 })
    const [first, again] = cdp.keys.slice(before)
    expect(again).toBe(first)
  })

  test('a missing or wrong secret ends the start with its name and without its value', async () => {
    for (const name of ['SVC_KEEPER_CDP_ADDRESS', 'CDP_API_KEY_ID', 'CDP_API_KEY_SECRET', 'CDP_WALLET_SECRET'])
      await expect(open({ ...cdp.environment, [name]: undefined })).rejects.toThrow(
        `HUB_KEEPER_MARK_DRY_RUN=0 with HUB_KEEPER_MARK_SIGNER=cdp needs ${name}.`,
      )
    for (const name of ['CDP_API_KEY_SECRET', 'CDP_WALLET_SECRET'])
      await expect(open({ ...cdp.environment, [name]: 'c2VjcmV0IHZhbHVl' })).rejects.toThrow(
        `${name} is not a secret of Coinbase CDP: copy it again from its portal.`,
      )
    await expect(open({ ...cdp.environment, SVC_KEEPER_CDP_URL: 'http://cdp.example' })).rejects.toThrow(
      'SVC_KEEPER_CDP_URL is invalid',
    )
    await expect(open({ ...cdp.environment, HUB_RPC_URL: undefined })).rejects.toThrow('needs HUB_RPC_URL')
  })
})

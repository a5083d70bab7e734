import { describe, expect, test } from 'vitest'
import {
  addNetwork,
  connect,
  faultOf,
  findWallets,
  listen,
  sendCall,
  signText,
  signTyped,
  switchTo,
  type Address,
  type FoundWallet,
  type Provider,
} from './wallet.ts'

const account: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const network = { id: 31_337, name: 'Local', rpcUrl: 'http://127.0.0.1:8545' }

const walletOf = (answers: Readonly<Record<string, (params: readonly unknown[]) => unknown>>) => {
  const asked: { method: string; params: readonly unknown[] }[] = []
  const provider: Provider = {
    request: async ({ method, params = [] }) => {
      asked.push({ method, params })
      return answers[method]?.(params) ?? null
    },
  }
  return { provider, asked, methods: () => asked.map(({ method }) => method) }
}
const fault =
  (code: number, more: object = {}) =>
  () => {
    throw Object.assign(new Error('the wallet said no'), { code, ...more })
  }

describe('errors of a wallet', () => {
  test('are told apart', () => {
    const kinds = [4001, 4100, 4200, 4900, 4901, 4902, -32_002, -32_601, -32_603, 1].map(
      (code) => faultOf({ code }).kind,
    )
    expect(kinds).toEqual([
      'declined',
      'unauthorised',
      'unsupported',
      'disconnected',
      'disconnected',
      'unknown_network',
      'pending',
      'unsupported',
      'failed',
      'failed',
    ])
    expect(faultOf({ code: -32_603, data: { originalError: { code: 4902 } } }).kind).toBe('unknown_network')
    for (const odd of [null, undefined, 'text', 7, {}]) expect(faultOf(odd).kind).toBe('failed')
  })

  test('keep the words of the wallet, cut', () => {
    expect(faultOf({ code: 1, message: 'x'.repeat(5_000) }).said).toHaveLength(500)
  })
})

describe('connecting', () => {
  test('returns the first account, and tells a locked wallet', async () => {
    expect(await connect(walletOf({ eth_requestAccounts: () => [account, network] }).provider)).toBe(account)
    await expect(connect(walletOf({ eth_requestAccounts: () => [] }).provider)).rejects.toMatchObject({
      kind: 'locked',
    })
    await expect(connect(walletOf({ eth_requestAccounts: fault(4001) }).provider)).rejects.toMatchObject({
      kind: 'declined',
    })
  })
})

describe('the network of a wallet', () => {
  test('is asked for again after a switch: a wallet that stays elsewhere is refused', async () => {
    const stubborn = walletOf({ eth_chainId: () => '0x1' })
    await expect(switchTo(stubborn.provider, network)).rejects.toMatchObject({ kind: 'wrong_network' })
    expect(stubborn.methods()).toEqual(['eth_chainId', 'wallet_switchEthereumChain', 'eth_chainId'])
  })

  test('is not switched when it is right, and told when it is unknown', async () => {
    const right = walletOf({ eth_chainId: () => '0x7a69' })
    await switchTo(right.provider, network)
    expect(right.methods()).toEqual(['eth_chainId'])
    const unknown = walletOf({ eth_chainId: () => '0x1', wallet_switchEthereumChain: fault(4902) })
    await expect(switchTo(unknown.provider, network)).rejects.toMatchObject({ kind: 'unknown_network' })
  })

  test('is offered with its public node, and only with one', async () => {
    let chain = '0x1'
    const learns = walletOf({ eth_chainId: () => chain, wallet_addEthereumChain: () => void (chain = '0x7a69') })
    await addNetwork(learns.provider, network)
    expect(learns.asked[0]?.params[0]).toMatchObject({ chainId: '0x7a69', rpcUrls: [network.rpcUrl] })
    await expect(addNetwork(learns.provider, { id: 1, name: 'Main' })).rejects.toMatchObject({
      kind: 'unknown_network',
    })
  })
})

describe('signing', () => {
  test('gives the text as bytes, whatever its letters', async () => {
    const wallet = walletOf({ personal_sign: () => '0x1234' })
    await signText({ provider: wallet.provider, account }, 'é 한')
    expect(wallet.asked[0]?.params).toEqual(['0xc3a920ed959c', account])
  })

  test('asks nothing of another account or a locked wallet', async () => {
    const other = walletOf({ eth_accounts: () => ['0x0000000000000000000000000000000000000001'] })
    await expect(signTyped({ provider: other.provider, account }, {})).rejects.toMatchObject({ kind: 'other_account' })
    const locked = walletOf({ eth_accounts: () => [] })
    await expect(signTyped({ provider: locked.provider, account }, {})).rejects.toMatchObject({ kind: 'locked' })
    expect([...other.methods(), ...locked.methods()]).toEqual(['eth_accounts', 'eth_accounts'])
  })

  test('takes nothing for a signature or a hash that is none', async () => {
    const odd = walletOf({
      eth_accounts: () => [account],
      eth_chainId: () => '0x7a69',
      eth_signTypedData_v4: () => 'yes',
      eth_sendTransaction: () => '0x12',
    })
    const signer = { provider: odd.provider, account }
    await expect(signTyped(signer, {})).rejects.toMatchObject({ kind: 'failed' })
    await expect(sendCall(signer, network, { to: account, data: '0x' })).rejects.toMatchObject({ kind: 'failed' })
  })
})

test('a transaction is written here: from, value and chain never come from an answer', async () => {
  const wallet = walletOf({
    eth_accounts: () => [account],
    eth_chainId: () => '0x7a69',
    eth_sendTransaction: () => `0x${'1'.repeat(64)}`,
  })
  await sendCall({ provider: wallet.provider, account }, network, { to: account, data: '0x07da68f5' })
  expect(wallet.asked.at(-1)?.params).toEqual([
    { from: account, to: account, data: '0x07da68f5', value: '0x0', chainId: '0x7a69' },
  ])
})

describe('wallets that announce themselves', () => {
  const announce = (page: EventTarget, detail: unknown) =>
    page.dispatchEvent(Object.assign(new Event('eip6963:announceProvider'), { detail }))
  const info = { uuid: 'a', name: 'Wallet', rdns: 'org.wallet', icon: 'data:image/png;base64,AA==' }

  test('are listed once, with pictures only from the announcement itself', () => {
    const page = new EventTarget()
    const { provider } = walletOf({})
    let seen: readonly FoundWallet[] = []
    const end = findWallets(page, (wallets) => (seen = wallets))
    announce(page, { info, provider })
    announce(page, { info, provider })
    announce(page, { info: { ...info, uuid: 'b', icon: 'https://example.org/pixel.png' }, provider })
    announce(page, { info: { ...info, uuid: 'c', icon: 'data:text/html,hi', name: 'n'.repeat(999) }, provider })
    announce(page, { info: { uuid: 1 }, provider })
    announce(page, { info, provider: {} })
    announce(page, null)
    expect(seen.map(({ id, icon }) => [id, icon])).toEqual([
      ['org.wallet/a', info.icon],
      ['org.wallet/b', null],
      ['org.wallet/c', null],
    ])
    expect(seen[2]?.name).toHaveLength(60)
    end()
    announce(page, { info: { ...info, uuid: 'd' }, provider })
    expect(seen).toHaveLength(3)
  })

  test('are asked to announce themselves', () => {
    const page = new EventTarget()
    let asked = 0
    page.addEventListener('eip6963:requestProvider', () => (asked += 1))
    findWallets(page, () => {})()
    expect(asked).toBe(1)
  })
})

test('news of a connected wallet are heard until the end', () => {
  const heard = new Map<string, (payload: unknown) => void>()
  const provider: Provider = {
    request: async () => null,
    on: (event, listener) => heard.set(event, listener),
    removeListener: (event) => heard.delete(event),
  }
  const news: unknown[] = []
  const end = listen(provider, {
    onAccount: (value) => news.push(value),
    onNetwork: (value) => news.push(value),
    onLost: () => news.push('lost'),
  })
  heard.get('accountsChanged')?.([account])
  heard.get('accountsChanged')?.([])
  heard.get('chainChanged')?.('0x1')
  heard.get('disconnect')?.({})
  expect(news).toEqual([account, null, 1, 'lost'])
  end()
  expect(heard.size).toBe(0)
})

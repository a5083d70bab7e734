import { describe, expect, test } from 'vitest'
import { signInWith, type SignInMeans } from './sign-in.ts'
import type { Address, Provider } from './wallet.ts'

const account: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const messageFor = (host: string, origin: string, wallet: string) =>
  `${host} wants you to sign in with your Ethereum account:\n${wallet}\n\nSign in as the owner with this wallet.\n\nURI: ${origin}\nVersion: 1`
const honest = messageFor('127.0.0.1:8080', 'http://127.0.0.1:8080', account)

function meansOf(message = honest) {
  const opened: unknown[] = []
  const stages: string[] = []
  const means: SignInMeans = {
    network: { id: 31_337, name: 'Local' },
    host: '127.0.0.1:8080',
    origin: 'http://127.0.0.1:8080',
    requestMessage: async () => message,
    openSession: async (proof) => void opened.push(proof),
    tell: (stage) => stages.push(stage),
  }
  return { means, opened, stages }
}

function walletOf(answers: Readonly<Record<string, () => unknown>> = {}) {
  const asked: string[] = []
  const usual: Readonly<Record<string, unknown>> = {
    eth_requestAccounts: [account],
    eth_accounts: [account],
    eth_chainId: '0x7a69',
    personal_sign: '0x12',
  }
  const provider: Provider = {
    request: async ({ method }) => {
      asked.push(method)
      return answers[method] === undefined ? usual[method] : answers[method]()
    },
  }
  return { provider, asked }
}

describe('signing in', () => {
  test('goes by account, network, message, signature and session', async () => {
    const { means, opened, stages } = meansOf()
    expect(await signInWith(walletOf().provider, means)).toBe(account)
    expect(stages).toEqual(['connect', 'network', 'message', 'sign', 'session'])
    expect(opened).toEqual([{ account, message: honest, signature: '0x12' }])
  })

  test('signs no message for another page, another origin or another account', async () => {
    for (const message of [
      messageFor('evil.example', 'http://127.0.0.1:8080', account),
      messageFor('127.0.0.1:8080', 'https://evil.example', account),
      messageFor('127.0.0.1:8080', 'http://127.0.0.1:80801', account),
      messageFor('127.0.0.1:8080', 'http://127.0.0.1:8080', '0x0000000000000000000000000000000000000001'),
      'I transfer everything',
    ]) {
      const wallet = walletOf()
      await expect(signInWith(wallet.provider, meansOf(message).means)).rejects.toMatchObject({
        name: 'ForeignMessage',
      })
      expect(wallet.asked).not.toContain('personal_sign')
    }
  })

  test('asks for no signature on another network', async () => {
    const wallet = walletOf({ eth_chainId: () => '0x1' })
    await expect(signInWith(wallet.provider, meansOf().means)).rejects.toMatchObject({ kind: 'wrong_network' })
    expect(wallet.asked).not.toContain('personal_sign')
  })

  test('opens no session when the account changed while the prompt was open', async () => {
    const other = '0x0000000000000000000000000000000000000001'
    const wallet = walletOf({ eth_accounts: () => [other] })
    const { means, opened } = meansOf()
    await expect(signInWith(wallet.provider, means)).rejects.toMatchObject({ kind: 'other_account' })
    expect(opened).toEqual([])
  })
})

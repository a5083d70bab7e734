import { describe, expect, test } from 'vitest'
import { demoWallet, type DemoAsk } from './demo-wallet.ts'
import { faultOf } from './wallet.ts'

const walletOf = (approve: boolean, answer: unknown = { result: '0x1' }) => {
  const posted: string[] = []
  const asked: DemoAsk[] = []
  const provider = demoWallet({
    post: async (body) => {
      posted.push(body)
      return answer
    },
    ask: (question) => {
      asked.push(question)
      question.answer(approve)
    },
  })
  return { provider, posted, asked }
}

describe('the demo wallet', () => {
  test('asks before each signature and transaction, and connects without a question', async () => {
    const { provider, posted, asked } = walletOf(true)
    for (const method of ['eth_requestAccounts', 'personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction'])
      await provider.request({ method, params: ['a'] })
    expect(asked.map(({ method }) => method)).toHaveLength(3)
    expect(posted.map((body) => JSON.parse(body).method)).toEqual([
      'eth_accounts',
      'personal_sign',
      'eth_signTypedData_v4',
      'eth_sendTransaction',
    ])
  })

  test('reads without a question', async () => {
    const { provider, asked } = walletOf(false)
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x1')
    expect(asked).toEqual([])
  })

  test('sends nothing that was declined, and says so as a wallet does', async () => {
    const { provider, posted } = walletOf(false)
    const error: unknown = await provider
      .request({ method: 'eth_sendTransaction', params: [{}] })
      .catch((e: unknown) => e)
    expect(faultOf(error).kind).toBe('declined')
    expect(posted).toEqual([])
  })

  test('passes on the error of the node', async () => {
    const { provider } = walletOf(true, { error: { code: 4902, message: 'no' } })
    await expect(provider.request({ method: 'eth_chainId' })).rejects.toMatchObject({ code: 4902 })
  })
})

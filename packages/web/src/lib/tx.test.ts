import { describe, expect, test } from 'vitest'
import { callData, checkedCall } from './chain.ts'
import type { Patience } from './receipts.ts'
import { sentCall } from './sent-calls.ts'
import { runTx, sendAgain, txAtOpening, type TxPlan, type TxState } from './tx.ts'
import type { Address, Hex, Provider } from './wallet.ts'

const account: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const vault: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const network = { id: 31_337, name: 'Local' }
const patience: Patience = { everyMs: 0, unknownMax: 3, looksMax: 20, pause: async () => {} }
const hashOf = (n: number): Hex => `0x${String(n).padStart(64, '0')}`

const shelfOf = () => {
  const kept = new Map<string, string>()
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  }
}

/** A wallet with a chain of its own: `answers` overrides what a method answers. */
function walletOf(answers: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {}) {
  const asked: string[] = []
  const mined = new Map<string, string>()
  let sent = 0
  const provider: Provider = {
    request: async ({ method, params = [] }) => {
      asked.push(method)
      const answer = answers[method]
      if (answer !== undefined) return answer(params)
      switch (method) {
        case 'eth_chainId':
          return '0x7a69'
        case 'eth_accounts':
          return [account]
        case 'eth_getTransactionCount':
          return `0x${sent.toString(16)}`
        case 'eth_sendTransaction':
          sent += 1
          mined.set(hashOf(sent), '0x1')
          return hashOf(sent)
        case 'eth_getTransactionReceipt': {
          const status = mined.get(params[0] as string)
          return status === undefined ? null : { status }
        }
        default:
          return null
      }
    },
  }
  return { provider, asked, mined, sends: () => asked.filter((method) => method === 'eth_sendTransaction').length }
}

const planOf = (provider: Provider, more: Partial<TxPlan> = {}): TxPlan => ({
  key: 'mdt_1/deposit',
  signer: { provider, account },
  network,
  prepare: async () => ({ to: vault, data: callData.deposit(5n) }),
  record: async () => 'recorded',
  happened: async () => false,
  ...more,
})
const means = (shelf = shelfOf()) => ({ shelf, patience, now: () => 1_000 })

describe('a transaction', () => {
  test('goes through confirm, wallet, chain and record, and is forgotten at its end', async () => {
    const wallet = walletOf()
    const seen: TxState[] = []
    const given = means()
    let looks = 0
    const record = async () => ((looks += 1) < 3 ? ('wait' as const) : ('recorded' as const))
    const end = await runTx(planOf(wallet.provider, { record }), given, (state) => seen.push(state))
    expect(end).toEqual({ stage: 'done', busy: false, hash: hashOf(1), fault: null })
    expect(seen.map(({ stage }) => stage)).toEqual(['confirm', 'wallet', 'chain', 'record', 'done'])
    expect(sentCall(given.shelf, 'mdt_1/deposit')).toBeNull()
  })

  test('that the service prepared differently never reaches the wallet', async () => {
    const wallet = walletOf()
    const wanted = { to: vault, data: callData.deposit(5n), chainId: 31_337 }
    const foreign = { to: account, data: wanted.data, value: '0', chain_id: 31_337 }
    const plan = planOf(wallet.provider, { prepare: async () => checkedCall(foreign, wanted) })
    const end = await runTx(plan, means(), () => {})
    expect(end.fault).toMatchObject({ kind: 'foreign', differences: [{ part: 'to' }] })
    expect(wallet.asked).toEqual([])
  })

  test('that was declined leaves nothing behind and can be tried again', async () => {
    let declines = 1
    const wallet = walletOf()
    const provider: Provider = {
      request: async (call) => {
        if (call.method === 'eth_sendTransaction' && declines-- > 0) throw { code: 4001, message: 'no' }
        return wallet.provider.request(call)
      },
    }
    const given = means()
    const first = await runTx(planOf(provider), given, () => {})
    expect(first.fault).toMatchObject({ kind: 'wallet', wallet: 'declined' })
    expect(sentCall(given.shelf, 'mdt_1/deposit')).toBeNull()
    expect((await runTx(planOf(provider), given, () => {})).stage).toBe('done')
    expect(wallet.sends()).toBe(1)
  })

  test('that was sent before a reload is followed and not sent a second time', async () => {
    const wallet = walletOf()
    const { shelf } = means()
    const stuck = { ...means(shelf), patience: { ...patience, looksMax: 1 } }
    const noReceipt: Provider = {
      request: async (call) =>
        call.method === 'eth_getTransactionReceipt'
          ? null
          : call.method === 'eth_getTransactionByHash'
            ? { nonce: '0x0' }
            : wallet.provider.request(call),
    }
    expect((await runTx(planOf(noReceipt), stuck, () => {})).fault).toEqual({ kind: 'slow' })
    expect(txAtOpening(shelf, 'mdt_1/deposit')).toMatchObject({ stage: 'chain', hash: hashOf(1) })
    expect((await runTx(planOf(wallet.provider), means(shelf), () => {})).stage).toBe('done')
    expect(wallet.sends()).toBe(1)
  })

  test('whose prompt was open at a reload is not asked for again without the word of the person', async () => {
    const wallet = walletOf()
    const { shelf } = means()
    const never: Provider = {
      request: (call) =>
        call.method === 'eth_sendTransaction' ? new Promise<never>(() => {}) : wallet.provider.request(call),
    }
    void runTx(planOf(never), means(shelf), () => {})
    await expect.poll(() => sentCall(shelf, 'mdt_1/deposit')).toMatchObject({ hash: null })
    expect((await runTx(planOf(wallet.provider), means(shelf), () => {})).fault).toEqual({
      kind: 'unsure',
      moved: false,
    })
    expect(wallet.sends()).toBe(0)
    const happened = planOf(wallet.provider, { happened: async () => true })
    expect((await runTx(happened, means(shelf), () => {})).stage).toBe('done')
    expect(wallet.sends()).toBe(0)
  })

  test('that nobody knows any more is dropped, and sent again only after one more look for its receipt', async () => {
    const { shelf } = means()
    const wallet = walletOf()
    const lost = walletOf({
      eth_getTransactionReceipt: () => null,
      eth_getTransactionByHash: () => null,
      eth_getTransactionCount: () => '0x0',
    })
    expect((await runTx(planOf(lost.provider), means(shelf), () => {})).fault).toEqual({ kind: 'dropped' })
    wallet.mined.set(hashOf(1), '0x1')
    expect((await sendAgain(planOf(wallet.provider), means(shelf), () => {})).stage).toBe('done')
    expect(wallet.sends()).toBe(0)
  })

  test('whose number another transaction took is replaced; the effect counts, whoever had it', async () => {
    const replaced = walletOf({
      eth_getTransactionReceipt: () => null,
      eth_getTransactionByHash: () => null,
    })
    expect((await runTx(planOf(replaced.provider), means(), () => {})).fault).toEqual({ kind: 'replaced' })
    const plan = planOf(replaced.provider, { happened: async () => true })
    expect((await runTx(plan, means(), () => {})).stage).toBe('done')
  })

  test('that reverted may be sent again', async () => {
    const reverts = walletOf({ eth_getTransactionReceipt: () => ({ status: '0x0' }) })
    const given = means()
    expect((await runTx(planOf(reverts.provider), given, () => {})).fault).toEqual({ kind: 'reverted' })
    expect(sentCall(given.shelf, 'mdt_1/deposit')).toBeNull()
  })

  test('is refused when the wallet shows another account or stays on another network', async () => {
    const other = walletOf({ eth_accounts: () => [vault] })
    expect((await runTx(planOf(other.provider), means(), () => {})).fault).toMatchObject({ wallet: 'other_account' })
    const stubborn = walletOf({ eth_chainId: () => '0x1' })
    expect((await runTx(planOf(stubborn.provider), means(), () => {})).fault).toMatchObject({ wallet: 'wrong_network' })
    expect(other.sends() + stubborn.sends()).toBe(0)
  })

  test('that the service refuses ends with the answer of the service', async () => {
    const refusal = new Error('409')
    const plan = planOf(walletOf().provider, {
      prepare: async () => {
        throw refusal
      },
    })
    expect((await runTx(plan, means(), () => {})).fault).toEqual({ kind: 'service', error: refusal })
  })

  test('of several calls goes in one prompt and is followed by its hash', async () => {
    const wallet = walletOf({
      wallet_sendCalls: () => ({ id: '0x1' }),
      wallet_getCallsStatus: () => ({ status: 200, receipts: [{ transactionHash: hashOf(9) }] }),
    })
    wallet.mined.set(hashOf(9), '0x1')
    const call = { to: vault, data: callData.deposit(5n) }
    const end = await runTx(planOf(wallet.provider, { prepare: async () => [call, call] }), means(), () => {})
    expect(end).toMatchObject({ stage: 'done', hash: hashOf(9) })
    expect(wallet.sends()).toBe(0)
  })
})

import type { Provider } from './wallet.ts'

/** What the demo wallet asks the person, in place of the window of a real wallet. */
export interface DemoAsk {
  readonly method: 'personal_sign' | 'eth_signTypedData_v4' | 'eth_sendTransaction'
  readonly params: readonly unknown[]
  /** Ends the prompt. */
  readonly answer: (approved: boolean) => void
}

const ASKS: readonly string[] = ['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction']

/** Returns the code of an error as wallets throw it. */
const fault = (code: number, message: string) => Object.assign(new Error(message), { code })

/** How the demo wallet reaches the local node, and the person. */
export interface DemoMeans {
  readonly post: (body: string) => Promise<unknown>
  readonly ask: (question: DemoAsk) => void
}

/**
 * Returns a wallet whose keys are in the local node of the dev command: it holds no key and no cryptography. Every
 * signature and transaction asks the person first; a declined one throws 4001, as a real wallet does. Choosing it in the list is
 * the word to connect.
 */
export function demoWallet({ post, ask }: DemoMeans): Provider {
  let call = 0
  return {
    request: async ({ method, params = [] }) => {
      if (ASKS.includes(method) && !(await approved(ask, method as DemoAsk['method'], params)))
        throw fault(4001, 'declined')
      call += 1
      const named = method === 'eth_requestAccounts' ? 'eth_accounts' : method
      const answer = await post(JSON.stringify({ jsonrpc: '2.0', id: call, method: named, params }))
      const { result, error } = (answer ?? {}) as { result?: unknown; error?: { code?: unknown; message?: unknown } }
      if (error !== undefined && error !== null)
        throw fault(
          typeof error.code === 'number' ? error.code : -32_603,
          typeof error.message === 'string' ? error.message : 'no answer',
        )
      return result
    },
  }
}

const approved = (ask: DemoMeans['ask'], method: DemoAsk['method'], params: readonly unknown[]): Promise<boolean> =>
  new Promise((resolve) => ask({ method, params, answer: resolve }))

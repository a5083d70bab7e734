/** What a wallet extension of a test says of itself. */
export interface Announced {
  /** Name of the function through which the page reaches the wallet. */
  readonly bridge: string
  readonly uuid: string
  readonly name: string
  readonly icon: string
}

/** Runs inside the page before its own code: announces an EIP-6963 provider, as extensions do. Tests may send its events. */
export function announceWallet({ bridge, uuid, name, icon }: Announced): void {
  type Listener = (value: unknown) => void
  const listeners = new Map<string, Set<Listener>>()
  const call = (
    method: string,
    params: unknown,
  ): Promise<{ result?: unknown; error?: { code: number; message: string } }> =>
    Reflect.get(globalThis, bridge)(method, params)
  const provider = {
    request: async ({ method, params }: { method: string; params?: unknown }) => {
      const answer = await call(method, params ?? [])
      if (answer.error !== undefined) throw Object.assign(new Error(answer.error.message), { code: answer.error.code })
      return answer.result
    },
    on: (event: string, listener: Listener) => {
      const of = listeners.get(event) ?? new Set()
      listeners.set(event, of.add(listener))
      return provider
    },
    removeListener: (event: string, listener: Listener) => {
      listeners.get(event)?.delete(listener)
      return provider
    },
  }
  /** A test sends an event of the wallet: `page.evaluate(() => walletBridge0Emit('chainChanged', '0x1'))`. */
  Reflect.set(globalThis, `${bridge}Emit`, (event: string, value: unknown) => {
    for (const listener of listeners.get(event) ?? []) listener(value)
  })
  const detail = Object.freeze({ info: Object.freeze({ uuid, name, icon, rdns: `test.${bridge}` }), provider })
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  addEventListener('eip6963:requestProvider', announce)
  announce()
}

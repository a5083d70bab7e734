/** A pair that every board of the product lists. */
export const PAIR = 'binance_btc_usdt'

/** Returns what fills the names in paths of pages: a mandate, its agent and a pair of the world. */
export const pathNamesOf = ({ history }: Pick<WebWorld, 'history'>) => ({
  id: history.mandates[0]?.publicId ?? '',
  agent: String(history.agents[0]?.agentId ?? ''),
  token: PAIR,
})

/** A running product with a short history, and a Chromium: what browser tests and pictures share. */
export interface WebWorld {
  readonly url: string
  /** Address of the Chromium for `chromium.connect`. */
  readonly browser: string
  /** Origin that may call every route from a browser, beside the product's own. Nothing listens there: a test may. */
  readonly appOrigin: string
  readonly chain: string
  readonly dataDir: string
  readonly deploymentFile: string
  /** Account of the demo agent, which is paired with the owner of the first demo wallet. */
  readonly demoAgent: number
  /** What was lived before the tests; an owner is the index of its wallet. */
  readonly history: {
    readonly agents: readonly { readonly agentId: number; readonly name: string; readonly owner: number }[]
    readonly mandates: readonly { readonly publicId: string; readonly agent: number; readonly owner: number }[]
  }
}

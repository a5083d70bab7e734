import { useCallback, useEffect, useRef, useState } from 'react'
import { LOCAL_CHAIN } from '../../i18n/chain-name.ts'
import { now } from '../../lib/clock.ts'
import { useConfig } from '../../lib/config.ts'
import { useSession } from '../../lib/reads.ts'
import type { Patience } from '../../lib/receipts.ts'
import { runTx, sendAgain, txAtOpening, type TxMeans, type TxPlan, type TxState } from '../../lib/tx.ts'
import { faultOf } from '../../lib/wallet.ts'
import { signerOf } from '../../lib/wallets.ts'

/** A transaction as a page describes it; the wallet and the network are found here. */
export type TxOrder = Omit<TxPlan, 'signer' | 'network'>

/** How often the page looks at the chain: a local chain makes a block at once. */
const patienceOf = (local: boolean): Patience => ({
  everyMs: local ? 300 : 2_000,
  unknownMax: 15,
  looksMax: local ? 200 : 150,
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
})

/** A transaction of a page, and the ways on. */
export interface Tx {
  readonly state: TxState
  /** Begins, or goes on from where it stands. It never sends what was sent already. */
  readonly run: () => void
  /** Sends again, by the word of the person. */
  readonly again: () => void
}

/** Runs a transaction in one tab at a time; another tab with the same act waits for it. */
const alone = (key: string, run: () => Promise<TxState>): Promise<TxState> =>
  navigator.locks.request(`tx/${key}`, run) as Promise<TxState>

/** Returns the state of a transaction and the ways on. One that was sent before a reload is followed from the start. */
export function useTx(order: TxOrder, onDone: () => void): Tx {
  const { data: config } = useConfig()
  const account = useSession()?.wallet
  const [state, setState] = useState<TxState>(() => txAtOpening(sessionStorage, order.key))
  const latest = useRef({ order, onDone })
  useEffect(() => {
    latest.current = { order, onDone }
  })
  const running = useRef(false)
  const chain = config?.chain ?? null

  const go = useCallback(
    async (how: typeof runTx) => {
      if (running.current || account === undefined || chain === null) return
      running.current = true
      const means: TxMeans = {
        shelf: sessionStorage,
        patience: patienceOf(chain.id === LOCAL_CHAIN),
        now,
      }
      try {
        const signer = await signerOf(account)
        setState((before) => ({ ...before, busy: true, fault: null }))
        const plan = { ...latest.current.order, signer, network: chain }
        const end = await alone(plan.key, () => how(plan, means, setState))
        if (end.stage === 'done') latest.current.onDone()
      } catch (error) {
        const { kind, said } = faultOf(error)
        setState((before) => ({ ...before, busy: false, fault: { kind: 'wallet', wallet: kind, said } }))
      } finally {
        running.current = false
      }
    },
    [account, chain],
  )

  const isSent = state.hash !== null && state.stage === 'chain' && !state.busy && state.fault === null
  useEffect(() => {
    if (isSent) queueMicrotask(() => void go(runTx))
  }, [isSent, go])

  return { state, run: () => void go(runTx), again: () => void go(sendAgain) }
}

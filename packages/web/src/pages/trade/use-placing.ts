import { useRef, useState } from 'react'
import { api } from '../../lib/api.ts'
import { now } from '../../lib/clock.ts'
import { useRead } from '../../lib/reads.ts'
import type { Answered, Product, Trader } from './answers.ts'
import { keyFor } from './page-key.ts'
import { place, type Outcome } from './placing.ts'

interface PlacingFacts {
  readonly trader: Trader
  readonly product: Product | null
  readonly side: 'buy' | 'sell'
  /** Null for a close, which is bound by its size. */
  readonly amount: string | null
  readonly size?: string
  readonly reduceOnly: boolean
  readonly onDone: () => void
  readonly onModeChanged: () => void
}

type Send = (key: string) => Promise<Answered>
/** Pause between two questions for the same order. */
const PAUSE_MS = 1_500
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS))

/** The venue's list of markets of a dex. */
const dexOf = (coin: string): string => (coin.includes(':') ? (coin.split(':')[0] ?? '') : '')

/** Places an order with what the screen shows, and keeps its outcome. One key for all repetitions of one click. */
export function usePlacing(facts: PlacingFacts) {
  const { trader, product } = facts
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [busy, setBusy] = useState(false)
  const last = useRef<{ readonly send: Send; readonly key: string } | null>(null)
  const needsKey = trader.mode === 'live' || facts.reduceOnly
  const builder = useRead('GET /hub/builder-fee/config', {}, { when: needsKey })
  const status = useRead('GET /hub/info/station-status', {}, { when: needsKey })

  const run = async ({ send, key }: { readonly send: Send; readonly key: string }) => {
    setBusy(true)
    setOutcome(null)
    const assetIndex = product === null || !needsKey ? null : await indexOf(product.coin)
    const ended = await place({
      send: () => send(key),
      record: (confirm_id, signature) =>
        api('POST /hub/order/record', { confirm_id, signature }, { idempotencyKey: `record-${key}` }),
      key: keyFor(trader.wallet, now()),
      network: status.data?.network ?? null,
      wanted: () => ({
        side: facts.side,
        amount: facts.amount,
        size: facts.size ?? null,
        reduceOnly: facts.reduceOnly,
        mark: product?.mark_price ?? '0',
        assetIndex,
        builder: builder.data ?? null,
        now: now(),
      }),
      pause,
    })
    setOutcome(ended)
    setBusy(false)
    if (ended.kind === 'mode') facts.onModeChanged()
    facts.onDone()
  }
  return {
    outcome,
    busy,
    start: (send: Send) => {
      if (busy) return
      last.current = { send, key: crypto.randomUUID() }
      void run(last.current)
    },
    /** Asks again what became of the same order. */
    again: () => {
      if (last.current !== null && !busy) void run(last.current)
    },
  }
}

/** Reads the place of a market in the venue's own list; null if it cannot be read, and then nothing is signed here. */
async function indexOf(coin: string): Promise<number | null> {
  try {
    const dex = dexOf(coin)
    const { data } = await api('GET /hub/info/meta', dex === '' ? {} : { dex })
    const at = data[0].universe.findIndex(({ name }) => name === coin || `${dex}:${name}` === coin)
    return at === -1 ? null : at
  } catch {
    return null
  }
}

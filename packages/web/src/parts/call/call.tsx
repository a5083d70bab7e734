import { calledByVault, readCall, type CallMarket, type CallMeaning } from '@svc/limits/call-meaning'
import type { ReactNode } from 'react'
import { defineWords } from '../../i18n/index.tsx'
import { shownAmount, shownPrice, shownUnits } from '../../lib/money.ts'
import type { RecordedCall, RecordedOrder } from '../../lib/timeline.ts'
import { Hash } from '../hash/hash.tsx'
import { en } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

/** Returns what says a call in words: what it does, and in the second form also its worst price. */
export function useCallText(): { short(meaning: CallMeaning): string; whole(meaning: CallMeaning): string } {
  const words = useWords()
  const short = ({ action, instrument, pays, units }: CallMeaning): string => {
    if (action === 'buy') return words.buy(instrument, shownAmount(pays))
    return action === 'sell' ? words.sell(instrument, shownUnits(units)) : words.redeem(instrument)
  }
  const whole = (meaning: CallMeaning): string => {
    const { action, instrument, worstPrice, acceptsAnyPrice } = meaning
    if (acceptsAnyPrice) return words.any(short(meaning))
    if (worstPrice === null) return short(meaning)
    const buys = action === 'buy'
    return words[buys ? 'most' : 'least'](short(meaning), shownPrice(worstPrice, buys), instrument)
  }
  return { short, whole }
}

interface CallLineProps {
  readonly call: RecordedCall
  /** The catalogue; undefined while it was not read. */
  readonly markets: readonly CallMarket[] | undefined
}

/** A call in one line: what it does and its worst price. One that cannot be read says so and shows its bytes. */
export function CallLine({ call: { target, data }, markets }: CallLineProps) {
  const words = useWords()
  const { whole } = useCallText()
  if (data === null) return <>{words.unknown}</>
  if (markets === undefined) return null
  const meaning = readCall({ target, data }, markets)
  if (typeof meaning !== 'string') return <bdi>{whole(meaning)}</bdi>
  return (
    <>
      {words[meaning]} {words.raw}: <Hash value={data} />
    </>
  )
}

interface CloseLineProps {
  /** Calldata of the vault that closes a position. */
  readonly calldata: string
  readonly markets: readonly CallMarket[] | undefined
  /** What stands where the call cannot be read. */
  readonly otherwise: ReactNode
}

/** What closes a position, in one line: how much of what is sold, and for how much at least. */
export function CloseLine({ calldata, markets, otherwise }: CloseLineProps) {
  const words = useWords()
  const inner = calledByVault(calldata)
  if (inner === null || markets === undefined) return <>{otherwise}</>
  const meaning = readCall(inner, markets)
  if (typeof meaning === 'string' || meaning.action === 'buy') return <>{otherwise}</>
  const { instrument, units, least, acceptsAnyPrice } = meaning
  if (units === null) return <bdi>{words.closeRedeem(instrument)}</bdi>
  const size = shownUnits(units)
  return (
    <bdi>
      {acceptsAnyPrice ? words.closeAny(instrument, size) : words.closeSell(instrument, size, shownAmount(least))}
    </bdi>
  )
}

/** An order of the leg in one line. */
export function OrderLine({ order: { side, market, size } }: { readonly order: RecordedOrder }) {
  const words = useWords()
  const said = words.sides[side] ?? side
  return <bdi>{size === null ? words.unsized(said, market) : words.sized(said, market, size)}</bdi>
}

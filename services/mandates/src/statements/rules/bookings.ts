import { signedUnits, usdcUnits } from '@svc/contracts/common/usdc'
import type { Booking } from '@svc/contracts/mandates/statements'
import { usdcText } from '@svc/limits'
import { readCall, type CallMarket } from '@svc/limits/call-meaning'
import { z } from 'zod'
import { decimalText, unitsOf } from '#transfers/rules/decimal.ts'

/** A filled order of the leg, as its entry of the record has it. */
export const legFill = z.object({
  market: z.string(),
  side: z.enum(['buy', 'sell']),
  opening: z.boolean(),
  cloid: z.string(),
  filled_size: z.string(),
  average_price: z.string().nullable(),
  amount_usdc: z.string(),
  fee_usdc: z.string(),
  filled_at: z.string(),
})
export type LegFill = z.output<typeof legFill>

/** A fact of the vault; `data` is the calldata of its call, null where the record has none. */
export interface VaultMovement {
  readonly at: string
  readonly name: string
  readonly args: Readonly<Record<string, string | boolean>>
  readonly tx_hash: string
  readonly data: string | null
}

/** What moved money of a mandate or changed its positions. */
export type Movement = { readonly fact: VaultMovement } | { readonly fill: LegFill }

type Line = Omit<Booking, 'n'>
type Kind = Booking['kind']

const SIZE_DECIMALS = 18
/** Units in calldata are integers of 0.000001. */
const UNIT_DECIMALS = 6

const plain = {
  market: null,
  instrument: null,
  size: null,
  price_usdc: null,
  value_usdc: null,
  fee_usdc: '0',
  lot: null,
  result_usdc: null,
  tx_hash: null,
  order: null,
} as const

/** Returns the bookings of movements that are in the order of time. */
export function bookingsOf(movements: readonly Movement[], markets: readonly CallMarket[]): readonly Booking[] {
  const bookings: Booking[] = []
  const vault = vaultBooks(markets)
  const leg = legBooks()
  for (const movement of movements) {
    const next = bookings.length + 1
    const lines = 'fact' in movement ? vault(movement.fact, next) : leg(movement.fill, next)
    for (const [index, line] of lines.entries()) bookings.push({ n: next + index, ...line })
  }
  return bookings
}

/** What an instrument has cost and brought since it was last held in no amount. */
interface Position {
  readonly cost: bigint
  readonly proceeds: bigint
  /** The booking that opened it; null if several did. */
  readonly lot: number | null
  /** False if a call that cannot be read may have bought some of it. */
  readonly isWhole: boolean
}

type Fact = { readonly [name: string]: readonly [kind: Kind, amount: string, sign: 1n | -1n, fee?: string] }
/** Facts that move money and are no call: the argument with the amount, its sign, and the argument with the fee. */
const FACTS: Fact = {
  Deposited: ['deposit', 'amount', 1n],
  DirectDeposit: ['deposit', 'amount', 1n],
  Withdrawn: ['withdrawal', 'amount', -1n, 'feeAccrued'],
  LegFunded: ['leg_funded', 'amount', -1n],
  LegReturned: ['leg_returned', 'amount', 1n],
}

function vaultBooks(markets: readonly CallMarket[]) {
  const positions = new Map<string, Position>()
  /** Instruments of which nothing was held after the last call that cannot be read; null before the first such call. */
  let sold: Set<string> | null = null
  return ({ at, name, args, tx_hash, data }: VaultMovement, n: number): readonly Line[] => {
    const figure = (key: string): bigint => BigInt(String(args[key] ?? '0'))
    const known = FACTS[name]
    if (known !== undefined) {
      const [kind, amount, sign, fee] = known
      const charged = fee === undefined ? 0n : figure(fee)
      return [
        { ...plain, at, kind, amount_usdc: usdcText(sign * figure(amount)), fee_usdc: usdcText(charged), tx_hash },
      ]
    }
    if (name === 'Settled')
      return [{ ...plain, at, kind: 'settlement', amount_usdc: '0', fee_usdc: usdcText(figure('fee')), tx_hash }]
    if (name !== 'Executed' && name !== 'Unwound') return []
    const [spent, received] = [name === 'Executed' ? figure('spent') : 0n, figure('received')]
    const line = { ...plain, at, amount_usdc: usdcText(received - spent), tx_hash }
    const target = String(args['target'] ?? '')
    const meaning = data === null ? 'unlisted' : readCall({ target, data }, markets)
    if (typeof meaning === 'string') {
      // It may have changed any position.
      positions.clear()
      sold = new Set()
      return [{ ...line, kind: 'call' }]
    }
    const { market, instrument, action, units } = meaning
    const trade = { ...line, kind: action, market, instrument }
    const key = `${market} ${instrument}`
    const held = positions.get(key)
    if (action === 'buy') {
      const isWhole = held?.isWhole ?? (sold === null || sold.has(key))
      const [cost, proceeds] = [(held?.cost ?? 0n) + spent, (held?.proceeds ?? 0n) + received]
      positions.set(key, { cost, proceeds, lot: held === undefined ? n : null, isWhole })
      return [{ ...trade, value_usdc: usdcText(spent), lot: n }]
    }
    const brought = (held?.proceeds ?? 0n) + received - spent
    if (action === 'sell') {
      if (held !== undefined) positions.set(key, { ...held, proceeds: brought })
      const size = decimalText(units ?? 0n, UNIT_DECIMALS)
      return [{ ...trade, size, value_usdc: usdcText(received), lot: held?.lot ?? null }]
    }
    positions.delete(key)
    sold?.add(key)
    const result = held?.isWhole === true ? usdcText(brought - held.cost) : null
    return [{ ...trade, value_usdc: usdcText(received), lot: held?.lot ?? null, result_usdc: result }]
  }
}

/** What is left of an opening fill, in units of 10^-18 and USDC base units. */
interface Lot {
  readonly n: number
  size: bigint
  value: bigint
}

function legBooks() {
  /** Open lots of a market, oldest first, all on one side. */
  const books = new Map<string, { readonly side: LegFill['side']; readonly lots: Lot[] }>()
  return (fill: LegFill, n: number): readonly Line[] => {
    const { market, side, opening } = fill
    const size = unitsOf(fill.filled_size, SIZE_DECIMALS) ?? 0n
    const rest = divisible(size, [usdcUnits(fill.amount_usdc), signedUnits(fill.fee_usdc)])
    const held = books.get(market)
    const lineOf = (part: bigint, lot: number | null, opened: bigint | null): Line => {
      const [value = 0n, fee = 0n] = rest(part)
      // What was bought costs its value; what was sold brings it.
      const result = opened === null ? null : usdcText(side === 'sell' ? value - opened : opened - value)
      return {
        ...plain,
        at: fill.filled_at,
        kind: side === 'buy' ? 'leg_buy' : 'leg_sell',
        market,
        instrument: market.split(':').at(-1) ?? market,
        size: decimalText(part, SIZE_DECIMALS),
        price_usdc: fill.average_price,
        amount_usdc: null,
        value_usdc: usdcText(value),
        fee_usdc: usdcText(fee),
        lot,
        result_usdc: result,
        order: fill.cloid,
      }
    }
    if (opening) {
      const line = lineOf(size, n, null)
      const lot = { n, size, value: usdcUnits(fill.amount_usdc) }
      // Lots of the other side were closed at the venue itself: an order never turns a position.
      if (held?.side === side) held.lots.push(lot)
      else books.set(market, { side, lots: [lot] })
      return [line]
    }
    return closed(size, held === undefined || held.side === side ? [] : held.lots, lineOf)
  }
}

/** Takes a size from the oldest lots, with a line for each, and one for what no known lot opened. */
function closed(
  size: bigint,
  lots: Lot[],
  lineOf: (part: bigint, lot: number | null, opened: bigint | null) => Line,
): readonly Line[] {
  const lines: Line[] = []
  let left = size
  while (left > 0n) {
    const [lot] = lots
    if (lot === undefined) {
      lines.push(lineOf(left, null, null))
      break
    }
    const part = left < lot.size ? left : lot.size
    const opened = (lot.value * part) / lot.size
    lines.push(lineOf(part, lot.n, opened))
    lot.size -= part
    lot.value -= opened
    left -= part
    if (lot.size === 0n) lots.shift()
  }
  return lines
}

/** Divides amounts over the parts of a size: each part gets its share of what is left, so that the shares add up. */
function divisible(size: bigint, amounts: readonly bigint[]): (part: bigint) => readonly bigint[] {
  let left = { size, amounts }
  return (part) => {
    const shares = left.amounts.map((amount) => (left.size === 0n ? 0n : (amount * part) / left.size))
    left = { size: left.size - part, amounts: left.amounts.map((amount, at) => amount - (shares[at] ?? 0n)) }
    return shares
  }
}

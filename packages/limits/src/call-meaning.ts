import { sameAddress, type Hex } from './terms.ts'

/** What a call does with an asset. */
export type CallAction = 'buy' | 'sell' | 'redeem'

/** A call of a contract, by its bytes. */
export interface CallBytes {
  readonly target: string
  readonly data: string
}

/** A market with its calls, as `GET /hub/markets` lists them. */
export interface CallMarket {
  readonly market_id: string
  readonly title: string
  readonly calls: readonly {
    readonly target: string
    readonly selector: string
    readonly action?: string | undefined
    readonly parameters?: readonly { readonly name: string; readonly unit: string }[] | undefined
  }[]
}

/** What a listed call does. USDC and units are integers of 0.000001; prices are USDC base units for a whole unit. */
export interface CallMeaning {
  readonly market: string
  readonly title: string
  readonly action: CallAction
  /** Name of the asset at the market. */
  readonly instrument: string
  /** USDC that a purchase pays, with the fee; null for other calls. */
  readonly pays: bigint | null
  /** Units that a sale gives away; null for other calls. A redemption gives all of them. */
  readonly units: bigint | null
  /** The least that the caller accepts: units for a purchase, USDC for a sale; null for a redemption, whose price is final. */
  readonly least: bigint | null
  /** The price at `least`, rounded against the caller; null without a least, and for a sale of nothing. */
  readonly worstPrice: bigint | null
  /** The least is zero or one base unit, so the venue may fill the call at any price. */
  readonly acceptsAnyPrice: boolean
}

/** Why a call is not described: no market lists it, or its bytes are not those of the listed function. */
export type UnreadCall = 'unlisted' | 'malformed'

const WORD = 64
const ONE = 1_000_000n
/** A least up to this many base units protects nobody. */
const TRIVIAL = 1n

const NAMES: Readonly<Record<CallAction, readonly string[]>> = {
  buy: ['instrument', 'usdc_in', 'min_units'],
  sell: ['instrument', 'units', 'min_usdc_out'],
  redeem: ['instrument'],
}
const isAction = (name: string | undefined): name is CallAction => name !== undefined && Object.hasOwn(NAMES, name)

/**
 * Returns what a call means by the catalogue of markets, or why it cannot be said. The bytes must be exactly the selector
 * and one clean word for each parameter: nothing is described in part.
 */
export function readCall({ target, data }: CallBytes, markets: readonly CallMarket[]): CallMeaning | UnreadCall {
  const bytes = data.toLowerCase()
  for (const { market_id, title, calls } of markets)
    for (const call of calls) {
      if (!sameAddress(call.target, target) || call.selector.toLowerCase() !== bytes.slice(0, 10)) continue
      const { action, parameters = [] } = call
      if (!isAction(action)) return 'unlisted'
      const words = wordsOf(bytes.slice(10))
      if (words?.length !== parameters.length) return 'malformed'
      const texts = parameters.map(({ unit }, at) => (unit === 'name' ? nameOf(words[at] ?? '') : null))
      const values = new Map(parameters.map(({ name }, at) => [name, BigInt(`0x${words[at] ?? '0'}`)]))
      const instrument = texts[parameters.findIndex(({ name }) => name === 'instrument')]
      if (NAMES[action].length !== values.size || !NAMES[action].every((name) => values.has(name))) return 'unlisted'
      if (typeof instrument !== 'string') return 'malformed'
      return { market: market_id, title, action, instrument, ...figuresOf(action, values) }
    }
  return 'unlisted'
}

type FigureNames = 'pays' | 'units' | 'least' | 'worstPrice' | 'acceptsAnyPrice'

function figuresOf(action: CallAction, values: ReadonlyMap<string, bigint>): Pick<CallMeaning, FigureNames> {
  const of = (name: string) => values.get(name) ?? 0n
  switch (action) {
    case 'buy': {
      const [pays, least] = [of('usdc_in'), of('min_units')]
      const worstPrice = least === 0n ? null : (pays * ONE + least - 1n) / least
      return { pays, units: null, least, worstPrice, acceptsAnyPrice: least <= TRIVIAL }
    }
    case 'sell': {
      const [units, least] = [of('units'), of('min_usdc_out')]
      const worstPrice = least === 0n || units === 0n ? null : (least * ONE) / units
      return { pays: null, units, least, worstPrice, acceptsAnyPrice: least <= TRIVIAL }
    }
    case 'redeem':
      return { pays: null, units: null, least: null, worstPrice: null, acceptsAnyPrice: false }
  }
}

/** Returns words of 32 bytes; null for anything but whole words in hex. */
function wordsOf(digits: string): readonly string[] | null {
  if (digits.length % WORD !== 0 || !/^[0-9a-f]*$/.test(digits)) return null
  return Array.from({ length: digits.length / WORD }, (_, at) => digits.slice(at * WORD, (at + 1) * WORD))
}

/** Returns the name in a word: plain characters, then zeros alone; null for anything else. */
function nameOf(word: string): string | null {
  const digits = word.replace(/(?:00)+$/, '')
  if (digits.length % 2 !== 0) return null
  const text = (digits.match(/../g) ?? []).map((pair) => String.fromCharCode(Number.parseInt(pair, 16))).join('')
  return /^[A-Za-z0-9][A-Za-z0-9._:-]{0,31}$/.test(text) ? text : null
}

/** A call inside `execute` or `unwind` of a vault. */
export interface VaultCallBytes extends CallBytes {
  readonly function: 'execute' | 'unwind'
  readonly data: Hex
  /** The most that the target may take, in base units; null for `unwind`. */
  readonly amount: bigint | null
}

const VAULT_FUNCTIONS: Readonly<Record<string, { readonly name: VaultCallBytes['function']; readonly words: number }>> =
  {
    '0xa04a0908': { name: 'execute', words: 3 },
    '0x71646689': { name: 'unwind', words: 2 },
  }

/** Returns the call inside calldata of a vault; null unless it is written exactly as an ABI encoder writes it. */
export function calledByVault(calldata: string): VaultCallBytes | null {
  const bytes = calldata.toLowerCase()
  const found = VAULT_FUNCTIONS[bytes.slice(0, 10)]
  const words = wordsOf(bytes.slice(10))
  if (found === undefined || words === null || words.length <= found.words) return null
  const [target = '', offset = '', amount] = words
  const length = words[found.words] ?? ''
  const size = smallNumber(length)
  if (!target.startsWith('0'.repeat(24)) || smallNumber(offset) !== found.words * 32 || size === null) return null
  const tail = words.slice(found.words + 1).join('')
  if (tail.length !== Math.ceil((size * 2) / WORD) * WORD || /[^0]/.test(tail.slice(size * 2))) return null
  return {
    function: found.name,
    target: `0x${target.slice(24)}`,
    data: `0x${tail.slice(0, size * 2)}`,
    amount: found.name === 'execute' ? BigInt(`0x${amount ?? '0'}`) : null,
  }
}

/** Returns a word as a number below 2^32; null for more. */
const smallNumber = (word: string): number | null =>
  /^0{56}[0-9a-f]{8}$/.test(word) ? Number.parseInt(word, 16) : null

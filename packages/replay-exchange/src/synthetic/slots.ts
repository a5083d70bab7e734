import type { Token } from '../feed.ts'
import { hash, normal, quantile, uniform } from '../hash.ts'
import { inventedName, majors } from './names.ts'

/** A place of the universe that one token after another fills; slots of majors keep their token. */
export interface Slot {
  readonly index: number
  readonly major: boolean
  /** Rank by volume as a share: 1 is the largest. */
  readonly rank: number
  /** Volume of an ordinary day over all venues, in USD. */
  readonly volumeUsd: number
  readonly priceUsd: number
  /** Standard deviation of a day's log return. */
  readonly volatility: number
  /** Sensitivity to moves of the whole market (beta). */
  readonly beta: number
  /** Slot of another asset with the same ticker; null for almost all slots. */
  readonly twinOf: number | null
  /** Days from one listing to the next; null for a token that stays. */
  readonly cycleDays: number | null
}

/** Fewest and most slots of a universe. */
export const TOKENS_MIN = 30
export const TOKENS_MAX = 5_000

const TWIN_EVERY = 40
const MEDIAN_VOLUME = 2_200_000
const VOLUME_SIGMA = 1.9
/** An invented token trades less than the majors: the 30th pair of Binance had 53 million dollars a day on 2022-11-09. */
const INVENTED_VOLUME_MAX = 100_000_000
const chains = ['eip155:1', 'eip155:56', 'eip155:8453', 'eip155:42161'] as const

/** The slots of a universe: the same for the same seed and number. */
export function makeSlots(seed: number, count: number): readonly Slot[] {
  const slots: Slot[] = []
  for (let index = 0; index < count; index += 1) slots.push(makeSlot(seed, index, count, slots))
  return slots
}

function makeSlot(seed: number, index: number, count: number, earlier: readonly Slot[]): Slot {
  const major = majors[index]
  if (major) {
    const stable = major[0] === 'USDC'
    return {
      index,
      major: true,
      rank: 1 - index / (4 * count),
      volumeUsd: major[4] * 1_000_000,
      priceUsd: major[3],
      volatility: stable ? 0.0003 : 0.03,
      beta: stable ? 0 : 1,
      twinOf: null,
      cycleDays: null,
    }
  }
  const rank = uniform(seed, index, 11)
  const twin = index % TWIN_EVERY === TWIN_EVERY - 1 ? earlier[index - 1] : undefined
  const twinOf = twin && !twin.major ? twin.index : null
  // Every third pair of twins has similar prices, so that prices cannot distinguish them.
  const near = twin && twinOf !== null && (index / TWIN_EVERY) % 3 < 1
  // Twins and their counterparts are never replaced, so that each pair keeps its price relation.
  const mortal = index % TWIN_EVERY < TWIN_EVERY - 2 && rank < 0.9 && uniform(seed, index, 15) < 0.5
  return {
    index,
    major: false,
    rank,
    volumeUsd: inventedVolume(rank),
    priceUsd: near ? twin.priceUsd * 1.04 : Math.exp(-2.3 + 2.4 * normal(seed, index, 12)),
    volatility: 0.035 + 0.04 * uniform(seed, index, 13),
    beta: 0.6 + 0.7 * uniform(seed, index, 14),
    twinOf,
    cycleDays: mortal ? 90 + Math.floor(300 * uniform(seed, index, 16)) : null,
  }
}

/** Returns the daily volume of an invented token at a rank: a logistic tail that saturates. */
function inventedVolume(rank: number): number {
  const volume = MEDIAN_VOLUME * Math.exp(VOLUME_SIGMA * quantile(rank))
  return volume / (1 + volume / INVENTED_VOLUME_MAX)
}

/** Returns the price level of a slot's token; a successor has another level than its predecessor. */
export function priceOf(seed: number, slot: Slot, generation: number): number {
  return slot.cycleDays === null ? slot.priceUsd : slot.priceUsd * Math.exp(1.2 * normal(seed, slot.index, generation))
}

/** Returns the token of a slot in one of its generations. Half of the successors have the predecessor's ticker. */
export function tokenOf(seed: number, slot: Slot, generation: number): Token {
  const major = majors[slot.index]
  if (major && slot.major) {
    const [ticker, name, koreanName] = major
    const address = ticker === 'USDC' ? '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' : null
    return { id: ticker, ticker, name, koreanName, chain: address === null ? null : 'eip155:1', address }
  }
  const named = inventedName((slot.twinOf ?? slot.index) - majors.length)
  const successor = slot.cycleDays !== null && hash(seed, slot.index, generation, 17) % 2 === 1
  const suffix = successor ? String((generation % 8) + 2) : ''
  return {
    id: `t${slot.index}g${generation}`,
    ticker: named.ticker + suffix,
    name: slot.twinOf === null ? named.name + (suffix && ` ${suffix}`) : `${named.name} (${slot.index})`,
    koreanName: named.koreanName + suffix,
    chain: chains[hash(seed, slot.index, 18) % chains.length] ?? chains[0],
    address: addressOf(seed, slot.index, generation),
  }
}

function addressOf(seed: number, slot: number, generation: number): string {
  let digits = ''
  for (let part = 0; part < 5; part += 1)
    digits += hash(seed, slot, generation, 20 + part)
      .toString(16)
      .padStart(8, '0')
  return `0x${digits}`
}

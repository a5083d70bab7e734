import { RefusalError } from '@svc/contract'
import { venueBudget } from '@svc/contracts/hl-leg/refusals'
import {
  askVenue,
  openTransport,
  sendAction,
  VenueUnavailable,
  isMadeUp,
  venueUrls,
  weightOf,
  type AnswerTo,
  type Fields,
  type Network,
  type Outcome,
  type QuestionName,
  type VenueUrls,
} from '@svc/hyperliquid'
import { Outage, outSpan, unwatched, type Kit } from '@svc/service'
import type { WeightClass } from './rules/weights.ts'
import { SignerQueue } from './signer-queue.ts'

/** An action whose signed bytes are stored. */
export interface StoredAction {
  /** Address of the key that signed. */
  readonly signer: string
  /** The bytes as stored; a repetition sends the same. */
  readonly body: string
}

/** The weight that the venue allows this network address, shared by all processes behind it. */
export interface Weights {
  /**
   * Spends weight of a class; returns the time to try again if there is not enough, and null if it is spent. A request that
   * may cost more spends `atMost` until `add` tells what it cost.
   */
  spend(by: WeightClass, weight: number, atMost?: number): Promise<Date | null>
  /** Adds what a request turned out to cost beyond what was spent for it; takes back what it did not cost, if negative. */
  add(by: WeightClass, weight: number): Promise<void>
}

/**
 * The connection to the venue. Each request spends weight of its class first, counted in Postgres for all processes
 * behind one network address; out of budget, it is refused with `venue_budget` (for a job: an outage). Answers of an
 * unknown form, and none, are outages.
 */
export interface VenueClient {
  readonly network: Network
  /** Where requests are sent; owners may post their own actions there. */
  readonly urls: VenueUrls
  /** True: a rig on this machine answers, and prices and money are made up. */
  readonly madeUp: boolean
  /** Asks one question. With `rows` the weight of the most rows is spent first, and what is not needed returns. */
  ask<Q extends QuestionName>(by: WeightClass, name: Q, fields?: Fields, rows?: Rows): Promise<AnswerTo<Q>>
  /** Asks one question with several fields at the same time; rejects if one answer is missing. */
  askEach<Q extends QuestionName>(by: WeightClass, name: Q, each: readonly Fields[]): Promise<readonly AnswerTo<Q>[]>
  /** Sends stored bytes once. Closes are sent at once, other actions of a signer one after the other. */
  send(by: WeightClass, action: StoredAction): Promise<Outcome>
  /** Spends weight of a class at once, for requests of the next seconds, so that none of them waits for its own. */
  prepay(by: WeightClass, weight: number): Promise<Prepaid>
  close(): Promise<void>
}

/** Weight that is spent, and the connection whose requests of its class use it up before they spend more. */
export interface Prepaid {
  readonly venue: VenueClient
  /** Gives back what no request used. */
  giveBack(): Promise<void>
}

/** How many rows an answer may have. */
export interface Rows {
  readonly least: number
  readonly most: number
}
const NO_ROWS: Rows = { least: 0, most: 0 }

interface VenueSettings {
  readonly network: Network
  readonly infoUrl: string | null
  readonly exchangeUrl: string | null
  /** Greatest answer that is read; default: that of the transport. */
  readonly answerMaxBytes?: number
  /** Watches the answers of the venue; default: nobody does. */
  readonly watch?: Kit['watch']
}

/** Class that pays for the small question to a venue that nobody asks, and which that is. */
const LOOK = { by: 'relays', question: 'exchangeStatus' } as const

/** Weight of one signed action. */
export const ACTION_WEIGHT = 1

/** Opens the connection to the configured network, or to a rig on this machine. */
export function openVenueClient(weights: Weights, settings: VenueSettings): VenueClient {
  const { network, infoUrl, exchangeUrl, answerMaxBytes, watch } = settings
  const urls = venueUrls(network, {
    ...(infoUrl === null ? {} : { info: infoUrl }),
    ...(exchangeUrl === null ? {} : { exchange: exchangeUrl }),
  })
  const { post, close } = openTransport(urls, answerMaxBytes === undefined ? {} : { answerMaxBytes })
  const queue = new SignerQueue()
  const look = async () => {
    // While the weight cannot be counted, nothing else is asked either.
    const retryAt = await weights.spend(LOOK.by, weightOf(LOOK.question)).catch(() => null)
    if (retryAt !== null) throw new VenueUnavailable('the weight is spent')
    await askVenue(post, LOOK.question)
  }
  const answers = watch?.({ dependency: 'venue', look }) ?? unwatched
  const watched = async <T>(asking: Promise<T>): Promise<T> => {
    const answer = await asking
    answers.note()
    return answer
  }
  const end = async () => {
    answers.stop()
    await close()
  }
  return connectionOf({ network, urls, post, watched, queue, close: end }, weights)
}

/** What all connections of a process share. */
interface Wire extends Pick<VenueClient, 'network' | 'urls' | 'close'> {
  readonly post: Parameters<typeof sendAction>[0]
  readonly queue: SignerQueue
  watched<T>(asking: Promise<T>): Promise<T>
}

function connectionOf(wire: Wire, weights: Weights): VenueClient {
  const { network, urls, post, watched, queue, close } = wire
  const spend = async (by: WeightClass, weight: number, atMost = weight) => {
    const retryAt = await weights.spend(by, weight, atMost)
    if (retryAt !== null) throw budgetSpent(by, retryAt)
  }
  const put = async <Q extends QuestionName>(by: WeightClass, question: Q, fields: Fields, spentRows = 0) => {
    const answer = await outSpan(`venue ${question}`, { 'rpc.method': question }, () =>
      watched(askVenue(post, question, fields)),
    ).catch(outage)
    requireSince(question, answer, fields)
    const rows = Array.isArray(answer) ? answer.length : 0
    const more = weightOf(question, rows) - weightOf(question, spentRows)
    if (more !== 0) await weights.add(by, more)
    return answer
  }
  return {
    network,
    urls,
    madeUp: isMadeUp(urls),
    close,
    ask: async (by, question, fields = {}, { least, most } = NO_ROWS) => {
      await spend(by, weightOf(question, least), weightOf(question, most))
      return put(by, question, fields, most)
    },
    askEach: async (by, question, each) => {
      await spend(by, weightOf(question) * each.length)
      return Promise.all(each.map((fields) => put(by, question, fields)))
    },
    send: async (by, { signer, body }) => {
      await spend(by, ACTION_WEIGHT)
      return queue.run(signer.toLowerCase(), by === 'closes', () =>
        outSpan('venue action', {}, () => watched(sendAction(post, body))),
      )
    },
    prepay: async (by, weight) => {
      await spend(by, weight)
      const paid = new PaidWeights(weights, by, weight)
      return { venue: connectionOf(wire, paid), giveBack: () => paid.giveBack() }
    },
  }
}

/** Weight is counted at the time it is spent: what is used later than this spends its own. */
const PREPAID_MS = 5_000

/** Weight of one class that is spent already, before any other. */
class PaidWeights implements Weights {
  readonly #others: Weights
  readonly #by: WeightClass
  readonly #until = performance.now() + PREPAID_MS
  #left: number

  constructor(others: Weights, by: WeightClass, weight: number) {
    this.#others = others
    this.#by = by
    this.#left = weight
  }

  async spend(by: WeightClass, weight: number, atMost = weight): Promise<Date | null> {
    return this.#take(by, atMost) ? null : this.#others.spend(by, weight, atMost)
  }

  // Nobody waits for what an answer cost beyond what was paid: it is counted after the request anyway.
  async add(by: WeightClass, weight: number): Promise<void> {
    if (!this.#take(by, weight)) void this.#others.add(by, weight).catch(() => {})
  }

  async giveBack(): Promise<void> {
    const left = this.#left
    this.#left = 0
    if (left > 0) await this.#others.add(this.#by, -left)
  }

  #take(by: WeightClass, weight: number): boolean {
    if (by !== this.#by || weight > this.#left || performance.now() > this.#until) return false
    this.#left -= weight
    return true
  }
}

/** Rejects rows older than the requested start with an outage: a row that is stored by its time would be stored twice. */
function requireSince(question: string, answer: unknown, { startTime }: Fields): void {
  if (typeof startTime !== 'number' || !Array.isArray(answer)) return
  const isBefore = (row: { readonly time?: number }) => row.time !== undefined && row.time < startTime
  if (answer.some(isBefore)) throw new Outage('venue', `rows of ${question} are older than the requested start`)
}

function outage(error: unknown): never {
  if (error instanceof VenueUnavailable) throw new Outage('venue', error.message, { cause: error })
  throw error
}

/** The refusal that an operation answers; its cause makes it an outage where a job meets it. */
function budgetSpent(by: WeightClass, retryAt: Date): RefusalError {
  const refused = new RefusalError(venueBudget, undefined, { retry_at: retryAt.toISOString() })
  refused.cause = new Outage('venue_budget', `the weight of ${by} is spent`)
  return refused
}

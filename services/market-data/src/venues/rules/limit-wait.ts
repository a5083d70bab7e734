import type { LimitForms } from '@svc/contracts/market-data/venue-file'

/** Wait after a refusal for the request limit for which neither the answer nor the documentation states one. */
export const LIMITED_DEFAULT_MS = 30_000
const BANNED_DEFAULT_MS = 120_000

/** An answer as far as it can say that the request limit was exceeded. */
export interface LimitAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** The parsed body. */
  readonly body: unknown
  /** Milliseconds. */
  readonly now: number
}

const headerOf = (headers: LimitAnswer['headers'], name: string): string | null => {
  const value = Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value.trim() : null
}

const wholeNumber = (text: string | null): number | null =>
  text !== null && /^\d{1,16}$/.test(text) ? Number(text) : null

/** Returns the time of a header in milliseconds; null if it has none. */
export function headerTime(headers: LimitAnswer['headers'], name: string): number | null {
  const text = headerOf(headers, name)
  const time = text === null ? Number.NaN : Date.parse(text)
  return Number.isNaN(time) ? null : time
}

/** Returns the wait of Retry-After, which is seconds or a date by the clock of the answer. */
function retryAfter({ headers, now }: LimitAnswer): number | null {
  const seconds = wholeNumber(headerOf(headers, 'retry-after'))
  if (seconds !== null) return seconds * 1_000
  const until = headerTime(headers, 'retry-after')
  return until === null ? null : until - (headerTime(headers, 'date') ?? now)
}

/** Returns the milliseconds until the end of a ban that the text of the body names. */
function banAfter({ headers, body, now }: LimitAnswer, until: LimitForms['until']): number | null {
  const text: unknown = until && typeof body === 'object' && body !== null ? Reflect.get(body, until.member) : undefined
  const end = typeof text === 'string' ? until?.pattern.exec(text)?.[1] : undefined
  return end === undefined ? null : Number(end) - (headerTime(headers, 'date') ?? now)
}

function resetAfter({ headers, now }: LimitAnswer, reset: LimitForms['reset']): number | null {
  if (reset === undefined) return null
  const value = wholeNumber(headerOf(headers, reset.header))
  if (value === null || value === 0) return null
  if (reset.unit === 'milliseconds') return value
  return value * (reset.unit === 'at_seconds' ? 1_000 : 1) - (headerTime(headers, 'date') ?? now)
}

/**
 * Returns the milliseconds that a venue demands to wait because its request limit was exceeded, at least one second; null if
 * the answer does not say that. In this order: Retry-After, a time in the text, the
 * documented wait, the venue's own header.
 */
export function limitWait(answer: LimitAnswer, forms: LimitForms = {}): number | null {
  const { status, body } = answer
  const { codes, statuses } = forms
  const code: unknown = codes && typeof body === 'object' && body !== null ? Reflect.get(body, codes.member) : undefined
  const known = codes && (typeof code === 'string' || typeof code === 'number') ? codes.waits[code] : undefined
  const documented = known ?? statuses?.[status]
  if (status !== 418 && status !== 429 && known === undefined && documented === undefined) return null
  const usual = status === 418 ? BANNED_DEFAULT_MS : LIMITED_DEFAULT_MS
  return Math.max(
    1_000,
    retryAfter(answer) ?? banAfter(answer, forms.until) ?? documented ?? resetAfter(answer, forms.reset) ?? usual,
  )
}

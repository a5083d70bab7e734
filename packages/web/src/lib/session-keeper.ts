import type { Store } from './store.ts'

/** Who is signed in. The token lives in memory only and is never stored. */
export interface Session {
  readonly token: string
  readonly wallet: `0x${string}`
}

/** An answer of the service that opens or renews a session. */
export interface SessionAnswer {
  readonly token: string
  readonly wallet_address: string
}

/** What the keeper of a session needs of the browser. */
export interface SessionMeans {
  /** Posts to a route of sessions with the header of the cookie; rejects if no answer came. */
  readonly post: (path: string, token?: string) => Promise<{ readonly status: number; readonly body: unknown }>
  /** Runs one piece of work at a time over all tabs of this origin. */
  readonly exclusive: <T>(work: () => Promise<T>) => Promise<T>
  /** Tells the other tabs that the person signed out. */
  readonly tellOut: () => void
  /** Whether the browser keeps a session, as its readable sign says; the cookie itself is hidden from scripts. */
  readonly hasSign: () => boolean
  readonly dropSign: () => void
  /** Runs work after a delay; the returned function cancels it. */
  readonly later: (ms: number, work: () => void) => () => void
  /** Milliseconds of a clock that nobody sets. */
  readonly now: () => number
}

/** Keeps the session of a tab alive, and ends it where it ended elsewhere. */
export interface SessionKeeper {
  /** Asks for the session that the browser keeps, if it keeps one. */
  start(): Promise<boolean>
  /** Takes over a session that was just opened. */
  adopt(answer: SessionAnswer): void
  /** Asks for a new access token, once for all who wait; resolves to whether the person is signed in with it. */
  renew(): Promise<boolean>
  /** Ends the session: here and in the other tabs at once, then at the service. Resolves to whether the service knows. */
  signOut(): Promise<boolean>
  /** The person signed out in another tab. */
  heardOut(): void
  /** The person came back to this tab. */
  returned(): void
}

const REFRESH = '/auth/session/refresh'
const LOGOUT = '/auth/session/logout'
/** A token is renewed after this share of its life. */
const RENEW_AT = 0.8
const RETRY_MS = 5_000
const RETRY_MAX_MS = 60_000
/** Life of a token that does not say its own, milliseconds. */
const LIFE_MS = 900_000

/** Returns the life of an access token in milliseconds, from its own times: the clock of the device does not count. */
export function lifeOf(token: string): number {
  try {
    const [, payload = ''] = token.split('.')
    const { iat, exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as Record<string, unknown>
    return typeof iat === 'number' && typeof exp === 'number' && exp > iat ? (exp - iat) * 1000 : LIFE_MS
  } catch {
    return LIFE_MS
  }
}

const isAnswer = (body: unknown): body is SessionAnswer =>
  typeof body === 'object' &&
  body !== null &&
  typeof Reflect.get(body, 'token') === 'string' &&
  typeof Reflect.get(body, 'wallet_address') === 'string'

/** Ends the session at the service; an access token that expired meanwhile is renewed for this one call. */
async function endAtService({ post }: SessionMeans, token: string): Promise<boolean> {
  const first = await post(LOGOUT, token)
  if (first.status !== 401) return first.status < 400
  const { status, body } = await post(REFRESH)
  if (status !== 200 || !isAnswer(body)) return status < 500
  return (await post(LOGOUT, body.token)).status < 400
}

/** Opens the keeper of a tab; it asks nothing before `start`. */
export function sessionKeeper(session: Store<Session | null>, means: SessionMeans): SessionKeeper {
  let renewAt = Number.POSITIVE_INFINITY
  let cancel = () => {}
  let running: Promise<boolean> | null = null
  let failures = 0
  /** Counts what ended or replaced the session, so that a late answer cannot bring an ended one back. */
  let epoch = 0

  const plan = (ms: number) => {
    cancel()
    renewAt = means.now() + ms
    cancel = means.later(ms, () => void renew())
  }
  const end = () => {
    epoch += 1
    cancel()
    renewAt = Number.POSITIVE_INFINITY
    session.set(null)
  }
  const adopt = ({ token, wallet_address }: SessionAnswer) => {
    epoch += 1
    failures = 0
    session.set({ token, wallet: wallet_address as `0x${string}` })
    plan(lifeOf(token) * RENEW_AT)
  }
  const retryLater = () => {
    failures += 1
    plan(Math.min(RETRY_MS * 2 ** (failures - 1), RETRY_MAX_MS))
    return false
  }
  const refresh = async (): Promise<boolean> => {
    const before = epoch
    try {
      const { status, body } = await means.post(REFRESH)
      // Meanwhile the person signed out, or in with another wallet.
      if (before !== epoch) return session.get() !== null
      if (status === 200 && isAnswer(body)) {
        adopt(body)
        return true
      }
      if (status >= 500 || status === 429) return retryLater()
      end()
      means.dropSign()
      return false
    } catch {
      return before === epoch ? retryLater() : session.get() !== null
    }
  }
  const renew = (): Promise<boolean> => {
    running ??= means.exclusive(refresh).finally(() => {
      running = null
    })
    return running
  }
  return {
    start: () => (means.hasSign() ? renew() : Promise.resolve(false)),
    adopt,
    renew,
    signOut: async () => {
      const token = session.get()?.token
      if (token === undefined) return true
      end()
      means.dropSign()
      means.tellOut()
      try {
        return await means.exclusive(() => endAtService(means, token))
      } catch {
        return false
      }
    },
    heardOut: end,
    returned: () => {
      const here = session.get() !== null
      if (here && !means.hasSign()) return end()
      if (here ? means.now() >= renewAt : means.hasSign()) void renew()
    },
  }
}

import { sessionKeeper, type Session } from './session-keeper.ts'
import { openStore } from './store.ts'

export type { Session } from './session-keeper.ts'

/** Cookie without a secret that stands beside the hidden one of a session. */
const SIGN = 'signed_in'
const ANSWER_MS = 20_000

/** The session of this tab; null for a visitor. */
export const session = openStore<Session | null>(null)

const hasSign = () => document.cookie.split('; ').some((pair) => pair === `${SIGN}=1`)

/** True while the tab asks for the session that the browser keeps: nobody knows yet whether the person is signed in. */
export const sessionPending = openStore(false)

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('session') : null

const keeper = sessionKeeper(session, {
  post: async (path, token) => {
    const response = await fetch(path, {
      method: 'POST',
      cache: 'no-store',
      headers: {
        'content-type': 'application/json',
        'x-svc-session': 'cookie',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: '{}',
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    return { status: response.status, body: await response.json().catch(() => null) }
  },
  // Without locks two tabs may refresh at once; the service answers both.
  exclusive: async <T>(work: () => Promise<T>): Promise<T> =>
    'locks' in navigator ? ((await navigator.locks.request('session', work)) as T) : work(),
  tellOut: () => channel?.postMessage('out'),
  hasSign,
  dropSign: () => {
    document.cookie = `${SIGN}=; Path=/ui; Max-Age=0; Secure; SameSite=Strict`
  },
  later: (ms, work) => {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
  now: () => performance.now(),
})

/** Takes over a session that was just opened. */
export const adoptSession = keeper.adopt

/** Asks for a new access token, once for all who wait; resolves to false if the person is signed out. */
export const renewSession = keeper.renew

/** Signs out: here and in the other tabs at once, then at the service. Resolves to whether the service knows. */
export const signOut = keeper.signOut

/** Asks for the session that the browser keeps, and follows it from then on. Call it once, before the first page. */
export function startSession(): void {
  if (channel !== null)
    channel.addEventListener('message', ({ data }) => {
      if (data === 'out') keeper.heardOut()
    })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') keeper.returned()
  })
  sessionPending.set(hasSign())
  void keeper.start().finally(() => sessionPending.set(false))
}

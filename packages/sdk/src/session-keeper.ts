import type { Session } from './operations.ts'

/** Time before its end from which a token is renewed. */
const BEFORE_END_MS = 30_000

/** Keeps one session fresh. */
export interface SessionKeeper {
  /** Returns a token that is good for some seconds more; renews the session first if it must. */
  token(): Promise<string>
  /** Renews the session now; calls that come meanwhile wait for the same renewal. */
  renew(): Promise<void>
}

/** Creates the keeper of a session. A refresh token works once, so renewals follow one another. */
export function createSessionKeeper(
  first: Session,
  refresh: (refreshToken: string) => Promise<Session>,
  onSession: ((session: Session) => void | Promise<void>) | undefined,
): SessionKeeper {
  let session = first
  let running: Promise<void> | null = null
  const renewOnce = async () => {
    session = await refresh(session.refresh_token)
    await onSession?.(session)
  }
  const renew = () => {
    running ??= renewOnce().finally(() => {
      running = null
    })
    return running
  }
  return {
    renew,
    token: async () => {
      if (running !== null || Date.parse(session.expires_at) - Date.now() < BEFORE_END_MS) await renew()
      return session.token
    },
  }
}

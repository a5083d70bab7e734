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
  /** The tokens that answered the last one used; each of them may be the one that arrived. */
  readonly turnHashes: readonly string[]
  /** The last token that was used; null before the first refresh. */
  readonly usedHash: string | null
  /** When that token was used first. */
  readonly usedAt: Date | null
  readonly endedAt: Date | null
  readonly refreshUntil: Date
}

/** For this long a used token is answered again, in case its answer was lost, unless one of its successors was used. */
export const GRACE_MS = 10_000
/** Most successors of one token that are valid at the same time; a further one replaces the oldest. */
export const SUCCESSORS_MAX = 8

/** What a token does to its session: `rotate` at its first use, `again` at a repeat within the grace. */
export type RefreshDecision = 'rotate' | 'again' | 'unknown' | 'ended' | 'expired' | 'reused'

/** Decides on a token sent for a session; `reused` means that the session must be ended. */
export function decideRefresh(session: SessionState | null, token: RefreshToken, now: Date): RefreshDecision {
  if (session === null || !sameHash(session.familyHash, token.family)) return 'unknown'
  if (session.endedAt !== null) return 'ended'
  if (session.refreshUntil <= now) return 'expired'
  if (session.turnHashes.some((hash) => sameHash(hash, token.turn))) return 'rotate'
  const { usedHash, usedAt } = session
  const isGrace = usedAt !== null && now.getTime() - usedAt.getTime() <= GRACE_MS
  return isGrace && usedHash !== null && sameHash(usedHash, token.turn) ? 'again' : 'reused'
}

/** Tokens of a session after a successful refresh. */
export type Turns = Pick<SessionState, 'turnHashes' | 'usedHash' | 'usedAt'>

/** Returns the tokens of a session after `token` was answered with a successor. */
export function turnsAfter(
  session: Turns,
  decision: 'rotate' | 'again',
  token: RefreshToken,
  successor: { readonly turn: Uint8Array; readonly now: Date },
): Turns {
  const added = sha256(successor.turn)
  if (decision === 'rotate') return { turnHashes: [added], usedHash: sha256(token.turn), usedAt: successor.now }
  return { ...session, turnHashes: [...session.turnHashes, added].slice(-SUCCESSORS_MAX) }
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

import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RefreshToken, SessionState } from './refresh-token.ts'
import { decideRefresh, formatRefreshToken, parseRefreshToken, refreshUntil, sha256 } from './refresh-token.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map((raw) => Buffer.from(raw))
const now = new Date('2026-11-21T09:00:00.000Z')
const until = new Date('2026-12-21T09:00:00.000Z')
const rowOf = (token: RefreshToken): SessionState => ({
  familyHash: sha256(token.family),
  turnHash: sha256(token.turn),
  endedAt: null,
  refreshUntil: until,
})

test('a refresh token parses as it was written, and any other text is refused', () => {
  fc.assert(
    fc.property(bytes(16), bytes(16), bytes(32), (id, family, turn) => {
      const token = { sessionId: id.toString('hex'), family, turn }
      const text = formatRefreshToken(token)
      expect(parseRefreshToken(text)).toEqual(token)
      expect(parseRefreshToken(text.slice(0, -1))).toBeNull()
      expect(parseRefreshToken(`${text}A`)).toBeNull()
    }),
  )
  fc.assert(fc.property(fc.string(), (text) => parseRefreshToken(text) === null))
})

test('over any history of refreshes, only the newest token rotates, an older one ends the session permanently, and a forged one changes nothing', () => {
  const shown = fc.oneof(fc.constant('newest' as const), fc.constant('older' as const), fc.constant('forged' as const))
  fc.assert(
    fc.property(fc.array(shown, { maxLength: 30 }), (history) => {
      const family = randomBytes(16)
      const issued: RefreshToken[] = [{ sessionId: '00'.repeat(16), family, turn: randomBytes(32) }]
      let row = rowOf(issued[0] as RefreshToken)
      for (const which of history) {
        const newest = issued.at(-1) as RefreshToken
        const older = issued.at(-2)
        if (which === 'older' && older === undefined) continue
        const token =
          which === 'newest'
            ? newest
            : which === 'older'
              ? (older as RefreshToken)
              : { ...newest, family: randomBytes(16) }
        const before = row.endedAt
        const decision = decideRefresh(row, token, now)
        if (which === 'forged') expect(decision).toBe('unknown')
        else if (before !== null) expect(decision).toBe('ended')
        else if (which === 'newest') {
          expect(decision).toBe('rotate')
          issued.push({ ...newest, turn: randomBytes(32) })
          row = rowOf(issued.at(-1) as RefreshToken)
        } else {
          expect(decision).toBe('reused')
          row = { ...row, endedAt: now }
        }
      }
    }),
  )
})

test('an unknown session and a session past its time do not rotate', () => {
  const token = { sessionId: '00'.repeat(16), family: randomBytes(16), turn: randomBytes(32) }
  expect(decideRefresh(null, token, now)).toBe('unknown')
  expect(decideRefresh(rowOf(token), token, until)).toBe('expired')
})

test('refreshing moves the end by 30 days but never past 90 days from the start', () => {
  const day = 86_400_000
  const at = (days: number) => new Date(now.getTime() + days * day)
  expect(refreshUntil(now, now)).toEqual(at(30))
  expect(refreshUntil(now, at(59))).toEqual(at(89))
  expect(refreshUntil(now, at(80))).toEqual(at(90))
})

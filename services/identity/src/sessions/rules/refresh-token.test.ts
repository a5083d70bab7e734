import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RefreshToken, SessionState } from './refresh-token.ts'
import {
  decideRefresh,
  formatRefreshToken,
  parseRefreshToken,
  refreshUntil,
  sha256,
  turnsAfter,
} from './refresh-token.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map((raw) => Buffer.from(raw))
const now = new Date('2026-11-21T09:00:00.000Z')
const until = new Date('2026-12-21T09:00:00.000Z')
const rowOf = (token: RefreshToken): SessionState => ({
  familyHash: sha256(token.family),
  turnHashes: [sha256(token.turn)],
  usedHash: null,
  usedAt: null,
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

/** A session as the store keeps it, with the tokens that were handed out and the time. */
function world() {
  const first = { sessionId: '00'.repeat(16), family: randomBytes(16), turn: randomBytes(32) }
  let row = rowOf(first)
  let at = now.getTime()
  return {
    first,
    wait: (ms: number) => {
      at += ms
    },
    /** Sends a token; returns the successor if the session answers with one. */
    send: (token: RefreshToken): { readonly decision: string; readonly next: RefreshToken | null } => {
      const time = new Date(at)
      const decision = decideRefresh(row, token, time)
      if (decision === 'reused') row = { ...row, endedAt: time }
      if (decision !== 'rotate' && decision !== 'again') return { decision, next: null }
      const turn = randomBytes(32)
      row = { ...row, ...turnsAfter(row, decision, token, { turn, now: time }) }
      return { decision, next: { ...token, turn } }
    },
  }
}

test('over any history, an answer that is lost and asked for again within 10 seconds never ends the session', () => {
  // Each refresh is sent one to eight times, in any order of arrival; one of the answers arrives and is used next.
  const refreshes = fc.array(
    fc.array(fc.record({ after: fc.nat(10_000 / 8), arrives: fc.boolean() }), { minLength: 1, maxLength: 8 }),
    { maxLength: 20 },
  )
  fc.assert(
    fc.property(refreshes, (history) => {
      const session = world()
      let held: RefreshToken = session.first
      for (const sendings of history) {
        let arrived: RefreshToken | null = null
        for (const { after, arrives } of sendings) {
          session.wait(after)
          const { decision, next } = session.send(held)
          expect(['rotate', 'again']).toContain(decision)
          if (arrives || arrived === null) arrived = next
        }
        if (arrived !== null) held = arrived
        session.wait(720_000)
      }
      expect(session.send(held).decision).toBe('rotate')
    }),
  )
})

test('a used token ends the session once a successor of it was used, at once or at any later time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.nat(9_000), fc.nat(3_600_000), (answers, soon, later) => {
      const session = world()
      const successors = Array.from({ length: answers }, () => session.send(session.first).next as RefreshToken)
      const used = successors[soon % answers] as RefreshToken
      session.wait(soon)
      const newest = session.send(used).next as RefreshToken
      session.wait(later)
      // A thief may hold the token itself or an answer to it that the owner never saw.
      const stolen = [session.first, ...successors.filter((one) => one !== used)][later % answers] as RefreshToken
      expect(session.send(stolen).decision).toBe('reused')
      expect(session.send(newest).decision).toBe('ended')
    }),
  )
})

test('a used token ends the session after 10 seconds, even if no successor of it was used', () => {
  const session = world()
  session.send(session.first)
  session.wait(10_000)
  expect(session.send(session.first).decision).toBe('again')
  session.wait(1)
  expect(session.send(session.first).decision).toBe('reused')
})

test('a forged token changes nothing, and at most eight successors of a token are valid', () => {
  const session = world()
  expect(session.send({ ...session.first, family: randomBytes(16) }).decision).toBe('unknown')
  const successors = Array.from({ length: 9 }, () => session.send(session.first).next as RefreshToken)
  expect(session.send(successors[8] as RefreshToken).decision).toBe('rotate')
  const other = world()
  const [oldest] = Array.from({ length: 9 }, () => other.send(other.first).next as RefreshToken)
  expect(other.send(oldest as RefreshToken).decision).toBe('reused')
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

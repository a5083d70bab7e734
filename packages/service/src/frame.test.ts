import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { decodeFrame, encodeFrame, fromWire, toWire, type WireHead } from './frame.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const MINUTE_MS = 60_000

for (const offMs of [-MINUTE_MS, MINUTE_MS])
  test(`a request has as much time on a host whose clock is ${offMs / 1_000} s off as on that of its caller`, () => {
    const sent = Date.now()
    const frame = encodeFrame(toWire({ id: 'x', by: sent + 5_000, key: 'once' }), '{}')
    vi.setSystemTime(sent + offMs)
    const head = fromWire(decodeFrame<WireHead>(frame).head)
    expect(head).toEqual({ id: 'x', by: sent + offMs + 5_000, key: 'once' })
  })

import { findMicrobursts, mergeFills } from '@svc/market-data/captures/rules/microburst'
import { describe, expect, test } from 'vitest'
import { readBybitCaptures } from './bybit.ts'

const replayDir = process.env['MARKET_REPLAY_DIR'] ?? ''

describe.skipIf(replayDir === '')('microbursts in the Bybit recording', () => {
  test('six markets of 347 fills hold exactly one: sales of SOL of about $0.3M', () => {
    const captures = readBybitCaptures(replayDir)
    const all = [...captures.values()].flatMap(({ fills }) => fills)
    expect([captures.size, all.length]).toEqual([6, 347])
    expect([...captures.values()].flatMap(({ fills }) => mergeFills(fills)).length).toBeLessThan(all.length / 2)
    const bursts = [...captures].flatMap(([market, capture]) =>
      findMicrobursts(capture).map((burst) => ({ market, ...burst })),
    )
    console.log(bursts)
    expect(bursts).toHaveLength(1)
    expect(bursts[0]?.market).toMatch(/SOLUSDT$/)
    expect(bursts[0]?.signedNotionalUsd).toBeLessThan(-250_000)
    expect(bursts[0]?.fills).toBeGreaterThan(90)
    expect(bursts[0]?.impactBps).toBeLessThan(0)
  })
})

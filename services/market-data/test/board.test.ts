import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { account, startRig, type Rig } from './rig.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
}, 60_000)
afterAll(() => rig.stop())

describe('board', () => {
  it('is pending before the first snapshot, which is not the same as empty', async () => {
    const board = await rig.client.readBoard({})
    expect(board).toMatchObject({ pending: true, stale: false, computed_at: null, total: 0, tokens: [] })
  })

  it('grades the pairs of every venue from one look at them', async () => {
    expect(await rig.run('listMarkets')).toBe(4)
    await rig.run('observeMarkets')
    await rig.run('rotateBooks')
    let read = 0
    do read = await rig.run('readCandles')
    while (read > 0)
    await rig.minutes(1)
    const board = await rig.client.readBoard({ limit: 2500 }, { caller: account() })
    expect(board.pending).toBe(false)
    expect(new Set(board.tokens.map((row) => row.exchange)).size).toBe(4)
    expect(board.tokens.filter((row) => row.gpa !== null).length).toBeGreaterThan(board.total * 0.9)
  })
})

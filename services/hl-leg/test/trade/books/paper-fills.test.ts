import { opened } from '@svc/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { paperPositions } from '#trade/books/paper-positions.ts'
import { startBookRig } from './book-rig.ts'

const rig = opened(startBookRig)
let owner = 1
beforeEach(async () => {
  owner += 2
  rig.advance(2_000)
  await rig.book(owner)
})

describe('a paper order', () => {
  test('walks the real book, pays the taker fee, and is a position, a fill and a row of the series', async () => {
    const { fill, replayed } = await rig.fill(owner, { side: 'buy', size: '0.1' })
    expect(replayed).toBe(false)
    expect(fill).toMatchObject({ size: '0.1', averagePrice: '60006', notionalUsdc: '6000.6', feeUsdc: '2.70027' })
    const [book] = await paperPositions(rig.context, owner)
    expect(book?.positions).toMatchObject([
      { market: 'hl:BTC', side: 'long', size: '0.1', unrealized_pnl_usdc: '-0.6' },
    ])
  })
})

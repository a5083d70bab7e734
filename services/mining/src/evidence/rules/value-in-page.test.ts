import { threadCpuUsage } from 'node:process'
import { describe, expect, it } from 'vitest'
import { valueInPage } from './value-in-page.ts'

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

describe('value in a page', () => {
  it.each([
    ['18', '<p>decimals: 18</p>', true],
    ['18', '<p>2018 and 181 and 1.18</p>', false],
    ['21000000', 'max 21,000,000 BTC', true],
    [USDC, `<a href="https://etherscan.io/token/${USDC.toLowerCase()}">token</a>`, true],
    ['https://www.circle.com/', '<a href="https://circle.com">', true],
    ['Trail of Bits', 'audited by Trail&nbsp;of\n Bits', true],
    ['Trail of Bits', 'audited by somebody', false],
  ])('%s in %s: %s', (value, page, found) => {
    expect(valueInPage(value, page)).toBe(found)
  })

  it.each(['<script ', '<', '1,', '&', ' \n', '12345678901234567890', '\u0315\u0300'])(
    'searches a hostile page of %j with CPU time in proportion to its length',
    (part) => {
      const cost = (length: number) => {
        const page = part.repeat(length / part.length)
        const costs = Array.from({ length: 3 }, () => {
          const before = threadCpuUsage().user
          valueInPage('1234567890123456789012345678901234567', page)
          return (threadCpuUsage().user - before) / 1_000
        })
        return Math.min(...costs)
      }
      cost(65_536)
      // A square would cost 256 times as much, and seconds. Collections of garbage cost milliseconds.
      expect(cost(1_048_576)).toBeLessThan(64 * Math.max(20, cost(65_536)))
    },
  )
})

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

  it('searches a hostile page of a megabyte in bounded time', () => {
    const started = performance.now()
    for (const part of ['<script ', '<', '1,', '&', ' \n', '12345678901234567890', '\u0315\u0300']) {
      valueInPage('1234567890123456789012345678901234567', part.repeat(1_048_576 / part.length))
    }
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})

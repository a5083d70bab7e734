import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decompress, packLines } from '#compressed-lines.ts'
import { packEntries, packInputs, unpackEntries, unpackInputs } from './board-codec.ts'
import type { BoardInputs } from './rules/board-inputs.ts'
import { computeBoard } from './rules/board.ts'
import { NOW, token } from './rules/sample-tokens.ts'

const since = new Date(NOW).toISOString()
const flag = {
  flag: 'delisting_announced',
  meaning: 'delisting_announced',
  since,
  effective_at: null,
  source: 'https://exchange.example/notice',
  published_at: since,
  lateness_seconds: 60,
} as const
const text = { en: 'The price fell.', ko: '가격이 하락했습니다.' }
const alert = { episode_id: 'cri_1', rule: 'crash', severity: 2, opened_at: since, text } as const

/** A second board: every pair carries the state of the first one; of some pairs much is unknown. */
function secondBoard(): BoardInputs {
  const first = computeBoard({
    computed_at: NOW - 300_000,
    formula_version: 'test',
    tokens: Array.from({ length: 40 }, (_, n) => token(n + 1)),
  })
  const tokens = first.map(({ carried, instance_id }) => token(instance_id, { before: carried }))
  return {
    computed_at: NOW,
    formula_version: 'test',
    tokens: [
      ...tokens,
      token(41, { name: 'Ein "Token"\n', name_ko: '토큰', flags: [flag], alerts: [alert] }),
      token(42, { spread_bps: null, depth_usd: null, volume_24h_usd: null, alerts: null, observed_at: null }),
      token(43, { trading: 'delisted', delist_cause: 'absent', predecessor_id: 7 }),
    ],
  }
}

describe('a stored board', () => {
  it('is read as it was written, inputs and entries', async () => {
    const inputs = secondBoard()
    const entries = computeBoard(inputs)
    const packed = await packInputs(inputs)
    expect(JSON.stringify(computeBoard(await unpackInputs(packed.bytes, packed.sha256)))).toBe(JSON.stringify(entries))
    expect(JSON.stringify(await unpackEntries(await packEntries(entries)))).toBe(JSON.stringify(entries))
  })

  it('is read as well if a release wrote it that named the members in every line', async () => {
    const { tokens, ...head } = secondBoard()
    const entries = computeBoard({ ...head, tokens })
    const text = await packLines([head, ...tokens])
    const sha256 = createHash('sha256')
      .update(await decompress(text))
      .digest('hex')
    expect(computeBoard(await unpackInputs(text, sha256))).toEqual(entries)
    expect(await unpackEntries(await packLines(entries))).toEqual(entries)
  })

  it('names its members once: each further pair takes less than half of its JSON', async () => {
    const entries = computeBoard(secondBoard())
    const length = async (count: number) => (await decompress(await packEntries(entries.slice(0, count)))).length
    expect((await length(40)) - (await length(20))).toBeLessThan(JSON.stringify(entries.slice(20, 40)).length / 2)
  })
})

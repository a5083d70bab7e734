import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldOf, fields } from './field-catalogue.ts'
import { judgeEvidence, judgeValue } from './judge-value.ts'
import { judgeEntries } from './judge-entries.ts'
import { listing } from './listing.ts'

const KNOWN = { chain: 'ethereum', today: '2026-11-21' }
const judge = (name: string, value: string) => judgeValue(fieldOf(name)!, value, KNOWN)

const good: Record<string, string> = {
  blockchain: 'ethereum',
  contract_address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  token_standard: 'ERC-20',
  decimals: '18',
  category: 'stablecoin',
  launch_date: '2018-09-26',
  max_supply: '21000000',
  circulating_supply_source: 'https://example.org/supply',
  unlock_schedule: '4 years, linear',
  website: 'https://www.circle.com',
  whitepaper: 'https://example.org/paper.pdf',
  docs: 'https://docs.example.org/',
  explorer: 'https://etherscan.io/token/0xa0',
  github: 'https://github.com/circlefin',
  social_x: 'https://x.com/circle',
  telegram: 'https://t.me/circle',
  discord: 'https://discord.gg/abc',
  team: 'Jeremy Allaire',
  legal_entity: 'Circle Internet Financial',
  jurisdiction: 'US',
  audit_url: 'https://example.org/audit',
  audit_firm: 'Trail of Bits',
  bug_bounty: 'https://immunefi.com/bounty/x',
  coingecko_id: 'usd-coin',
  cmc_id: '3408',
}

describe('field catalogue', () => {
  it('has the groups, fields and points that are posted', () => {
    const printed = [...Map.groupBy(fields, (field) => field.group)]
      .map(([group, list]) => `${group}: ${list.map((f) => `${f.name} ${f.points}`).join(', ')}`)
      .join('; ')
    expect(printed).toBe(
      'identity: blockchain 10, contract_address 20, token_standard 5, decimals 5, category 5, launch_date 5; ' +
        'supply: max_supply 10, circulating_supply_source 15, unlock_schedule 20; ' +
        'links: website 5, whitepaper 10, docs 5, explorer 5, github 10, social_x 5, telegram 5, discord 5; ' +
        'team: team 15, legal_entity 10, jurisdiction 5; security: audit_url 15, audit_firm 5, bug_bounty 5; listing: coingecko_id 5, cmc_id 5',
    )
  })

  it.each(fields.map((field) => [field.name]))('accepts a valid value and refuses hostile ones: %s', (name) => {
    expect(judge(name, good[name]!)).toBeNull()
    for (const value of ['', '\u0000', `${good[name]!}\u202e`, ` ${good[name]!}`, 'x'.repeat(2001), '\ud800'])
      expect(judge(name, value)).not.toBeNull()
  })

  it.each([
    ['decimals', '256'],
    ['decimals', '-1'],
    ['decimals', '1.0'],
    ['decimals', '018'],
    ['max_supply', '0'],
    ['max_supply', '21,000,000'],
    ['launch_date', '2023-02-29'],
    ['launch_date', '2026-11-22'],
    ['launch_date', '2008-01-01'],
    ['jurisdiction', 'XX'],
    ['blockchain', 'Ethereum'],
    ['website', 'http://circle.com'],
    ['website', 'https://user:pw@circle.com'],
    ['website', 'https://localhost/'],
    ['website', 'https://127.0.0.1/'],
    ['website', 'https://2130706433/'],
    ['website', 'https://0x7f.1/'],
    ['website', 'https://[::1]/'],
    ['website', 'https://db.internal/'],
    ['website', 'javascript:alert(1)'],
    ['website', 'https://circle.com\\@evil.com/'],
    ['website', 'https://circle'],
    ['website', 'https://circle.com:8443/'],
    ['github', 'https://github.com.evil.org/x'],
    ['github', 'https://github.com/'],
    ['coingecko_id', 'USD Coin'],
  ])('refuses %s = %s', (name, value) => {
    expect(judge(name, value)).not.toBeNull()
  })

  it('accepts "unlimited" as supply and "native" as address', () => {
    expect(judge('max_supply', 'unlimited')).toBeNull()
    expect(judge('contract_address', 'native')).toBeNull()
  })

  it('judges any text without throwing', () => {
    fc.assert(
      fc.property(fc.constantFrom(...fields), fc.string({ unit: 'binary', maxLength: 300 }), (field, value) => {
        judgeValue(field, value, KNOWN)
        judgeEvidence(value)
      }),
    )
  })
})

describe('entries of a submit', () => {
  const EMPTY = { current: new Map<string, string>(), pending: new Set<string>() }
  const entry = (
    field_name: string,
    field_value = good[field_name] ?? 'x',
    evidence_url = 'https://example.org/proof',
  ) => ({ field_name, field_value, evidence_url })

  it('names every invalid entry and every invalid member', () => {
    const verdict = judgeEntries(
      [
        entry('decimals', 'many'),
        entry('colour'),
        entry('website', 'ftp://x', 'http://127.0.0.1/'),
        entry('team'),
        entry('team'),
      ],
      EMPTY,
      KNOWN.today,
    )
    expect(verdict.invalid.map((error) => [error.pointer, error.code])).toEqual([
      ['/entries/0/field_value', 'bad_integer'],
      ['/entries/1/field_name', 'unknown_field'],
      ['/entries/2/field_value', 'bad_url'],
      ['/entries/2/evidence_url', 'bad_url'],
      ['/entries/4/field_name', 'duplicate_field'],
    ])
  })

  it('judges a contract address by the chain of the same submit, before the approved chain', () => {
    const token = { current: new Map([['blockchain', 'ethereum']]), pending: new Set<string>() }
    const solana = entry('contract_address', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
    expect(judgeEntries([solana], token, KNOWN.today).invalid).toHaveLength(1)
    expect(judgeEntries([solana, entry('blockchain', 'solana')], token, KNOWN.today).invalid).toHaveLength(0)
  })

  it('lists fields that await review separately, and refuses a value that is approved already', () => {
    const verdict = judgeEntries(
      [entry('team'), entry('docs')],
      { current: new Map([['docs', good['docs']!]]), pending: new Set(['team']) },
      KNOWN.today,
    )
    expect(verdict.blocked.map((error) => error.pointer)).toEqual(['/entries/0/field_name'])
    expect(verdict.invalid.map((error) => error.code)).toEqual(['same_value'])
  })
})

describe('minable-fields listing', () => {
  it('totals the empty fields and keeps the deprecated aliases', () => {
    const all = listing('binance_btc_usdt', 5, { current: new Map(), pending: new Set(['team']) })
    expect(all).toMatchObject({
      total_empty: fields.length,
      total_points: 210,
      total_cherry_on_approval: 1050,
      total_cherry: 1050,
    })
    const some = listing('binance_btc_usdt', 7, { current: new Map([['contract_address', '0x1']]), pending: new Set() })
    expect(some).toMatchObject({ total_empty: fields.length - 1, total_points: 190, total_cherry: 1330 })
    expect(some.groups[0]!.fields[1]).toEqual({
      field: 'contract_address',
      points: 20,
      cherry_on_approval: 140,
      cherry: 140,
      current_value: '0x1',
      pending: false,
    })
    expect(
      all.groups
        .flatMap((group) => group.fields)
        .filter((field) => field.pending)
        .map((field) => field.field),
    ).toEqual(['team'])
  })
})

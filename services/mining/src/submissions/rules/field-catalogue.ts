import { addressFormats } from './chains.ts'
import { countries } from './countries.ts'

/** How a value is written and judged. */
export type FieldRule =
  | { readonly type: 'address' }
  | { readonly type: 'url'; readonly hosts?: readonly string[] }
  | { readonly type: 'integer'; readonly min: bigint; readonly max: bigint; readonly word?: string }
  | { readonly type: 'date'; readonly from: string }
  | { readonly type: 'enum'; readonly values: readonly string[]; readonly hint?: string }
  | {
      readonly type: 'text'
      readonly min: number
      readonly max: number
      readonly pattern?: RegExp
      readonly hint?: string
    }

export interface Field {
  readonly name: string
  readonly group: string
  readonly points: number
  readonly rule: FieldRule
  /** Reviewers who must approve a value before it is verified. */
  readonly approvals: 1 | 2
}

const tokenStandards = [
  'native',
  'ERC-20',
  'ERC-223',
  'ERC-404',
  'ERC-677',
  'ERC-721',
  'ERC-777',
  'ERC-1155',
  'ERC-4626',
  'BEP-2',
  'BEP-20',
  'SPL',
  'Token-2022',
  'TRC-10',
  'TRC-20',
  'KIP-7',
  'ARC-20',
  'ASA',
  'NEP-141',
  'CW-20',
  'ICS-20',
  'TEP-74',
  'FA1.2',
  'FA2',
  'BRC-20',
  'Runes',
  'XRPL-IOU',
  'Stellar-asset',
  'ESDT',
  'HTS',
  'Cardano-native',
  'Move-coin',
  'SNIP-2',
  'other',
]

const categories = [
  'layer-1',
  'layer-2',
  'stablecoin',
  'wrapped',
  'liquid-staking',
  'dex',
  'lending',
  'derivatives',
  'yield',
  'bridge',
  'oracle',
  'payments',
  'exchange-token',
  'governance',
  'gaming',
  'metaverse',
  'nft',
  'meme',
  'ai',
  'depin',
  'rwa',
  'storage',
  'privacy',
  'identity',
  'social',
  'infrastructure',
  'interoperability',
  'fan-token',
  'launchpad',
  'prediction-market',
  'data',
  'energy',
  'index',
  'leveraged-token',
  'other',
]

const url = (...hosts: string[]): FieldRule => (hosts.length === 0 ? { type: 'url' } : { type: 'url', hosts })
const text = (min: number, max: number): FieldRule => ({ type: 'text', min, max })
const words = (values: readonly string[]) => ({ type: 'enum', values }) as const satisfies FieldRule

const catalogue: Readonly<
  Record<string, readonly (readonly [name: string, points: number, rule: FieldRule, approvals?: 2])[]>
> = {
  identity: [
    ['blockchain', 10, words([...addressFormats.keys()])],
    ['contract_address', 20, { type: 'address' }, 2],
    ['token_standard', 5, words(tokenStandards)],
    ['decimals', 5, { type: 'integer', min: 0n, max: 255n }],
    ['category', 5, words(categories)],
    ['launch_date', 5, { type: 'date', from: '2009-01-03' }],
  ],
  supply: [
    ['max_supply', 10, { type: 'integer', min: 1n, max: 10n ** 38n, word: 'unlimited' }],
    ['circulating_supply_source', 15, url()],
    ['unlock_schedule', 20, text(3, 2000)],
  ],
  links: [
    ['website', 5, url()],
    ['whitepaper', 10, url()],
    ['docs', 5, url()],
    ['explorer', 5, url()],
    ['github', 10, url('github.com')],
    ['social_x', 5, url('x.com', 'twitter.com')],
    ['telegram', 5, url('t.me', 'telegram.me')],
    ['discord', 5, url('discord.gg', 'discord.com')],
  ],
  team: [
    ['team', 15, text(2, 2000)],
    ['legal_entity', 10, text(2, 200)],
    ['jurisdiction', 5, { ...words(countries), hint: 'must be a country code, ISO 3166-1 alpha-2, for example CH' }],
  ],
  security: [
    ['audit_url', 15, url()],
    ['audit_firm', 5, text(2, 100)],
    ['bug_bounty', 5, url()],
  ],
  listing: [
    [
      'coingecko_id',
      5,
      {
        type: 'text',
        min: 1,
        max: 100,
        pattern: /^[a-z0-9][a-z0-9._-]*$/,
        hint: 'must be the id in the CoinGecko address: lower-case letters, digits and dashes',
      },
    ],
    ['cmc_id', 5, { type: 'integer', min: 1n, max: 999_999_999n }],
  ],
}

/** Every field that can be mined, in the order of the listing. */
export const fields: readonly Field[] = Object.entries(catalogue).flatMap(([group, entries]) =>
  entries.map(([name, points, rule, approvals]): Field => ({ name, group, points, rule, approvals: approvals ?? 1 })),
)

const byName = new Map(fields.map((field) => [field.name, field]))

/** Returns the field of a name; undefined for an unknown name. */
export function fieldOf(name: string): Field | undefined {
  return byName.get(name)
}

import type { Check } from '@svc/contracts/mining/fields'
import { mixesScripts, skeleton } from './confusable.ts'
import { addressSpelling, judgeAddress, NATIVE } from './contract-address.ts'
import { chainOf, type ResolvedEntry } from './judge-entries.ts'
import { judgeUrl, sameSite } from './web-address.ts'

/** An approved value of another token that may collide with a submitted one. */
export interface KnownValue {
  readonly token_id: string
  readonly base: string
  readonly field_name: string
  readonly value: string
  readonly skeleton: string
}

export interface PrecheckInput {
  readonly base: string
  readonly entries: readonly ResolvedEntry[]
  readonly current: ReadonlyMap<string, string>
  /** Approved values of other tokens with the same base, or with an equal skeleton in the same field. */
  readonly known: readonly KnownValue[]
}

/** Fields whose value identifies one token, so that no other token may have it. */
export const uniqueFields: ReadonlySet<string> = new Set([
  'contract_address',
  'website',
  'github',
  'coingecko_id',
  'cmc_id',
  'social_x',
  'telegram',
])
const ownSiteFields = new Set(['whitepaper', 'docs'])
const nameFields = new Set(['team', 'legal_entity', 'audit_firm', 'coingecko_id'])

const check = (id: string, verdict: Check['verdict'], detail: string): Check => ({
  id,
  verdict,
  detail: detail.slice(0, 500),
})

function addressChecks(entry: ResolvedEntry, input: PrecheckInput): Check[] {
  const chain = chainOf(input.entries, input.current)
  const verdict = judgeAddress(entry.field_value, chain)
  const checksummed = verdict.ok && verdict.checksummed
  const twins = input.known.filter((other) => other.field_name === 'contract_address' && other.base === input.base)
  const same = twins.find((other) => addressSpelling(other.value) === addressSpelling(entry.field_value))
  const different = twins.find((other) => other !== same)
  return [
    check(
      'address_checksum',
      checksummed ? 'pass' : 'unknown',
      checksummed ? 'The checksum of the address is right.' : 'The address carries no checksum.',
    ),
    check(
      'address_chain',
      chain === null ? 'unknown' : 'pass',
      chain === null ? 'The blockchain of the token is not known yet.' : `The address has the format of ${chain}.`,
    ),
    same !== undefined
      ? check('duplicate_symbol', 'pass', `${same.token_id} has the same approved address.`)
      : different !== undefined && entry.field_value !== NATIVE
        ? check(
            'duplicate_symbol',
            'fail',
            `${different.token_id} has the same symbol and the approved address ${different.value}.`,
          )
        : check('duplicate_symbol', 'unknown', 'No other pair of this symbol has an approved address.'),
  ]
}

function uniqueCheck(entry: ResolvedEntry, input: PrecheckInput): Check {
  const look = skeleton(entry.field_value)
  const isAddress = entry.field_name === 'contract_address'
  const isSame = (value: string) =>
    isAddress ? addressSpelling(value) === addressSpelling(entry.field_value) : value === entry.field_value
  const other =
    entry.field_value === NATIVE
      ? undefined
      : input.known.find(
          (known) =>
            known.field_name === entry.field_name &&
            known.base !== input.base &&
            (known.skeleton === look || isSame(known.value)),
        )
  if (other === undefined) return check('unique_value', 'pass', 'No token of another symbol has this value.')
  return isSame(other.value)
    ? check('unique_value', 'fail', `${other.token_id} has the same value.`)
    : check('unique_value', 'fail', `${other.token_id} has ${other.value}, which is easily mistaken for this value.`)
}

/** Compares a URL with the site of the project; `site` is the website, approved or of the same submit. */
function siteCheck(id: string, url: string, site: string | undefined): Check {
  const target = judgeUrl(url)
  const home = site === undefined ? null : judgeUrl(site)
  if (!target.ok || home === null || !home.ok) return check(id, 'unknown', 'The website of the project is not known.')
  return sameSite(target.url.hostname, home.url.hostname)
    ? check(id, 'pass', `On the project's site ${home.url.hostname}.`)
    : check(id, 'fail', `${target.url.hostname} is not part of the project's site ${home.url.hostname}.`)
}

/** Returns the machine checks of one entry, for the reviewer. They reject nothing; `unknown` is not a failure. */
export function precheck(entry: ResolvedEntry, input: PrecheckInput): Check[] {
  const site =
    input.entries.find((other) => other.field.name === 'website')?.field_value ?? input.current.get('website')
  const name = entry.field.name
  const standing = input.current.get(name)
  return [
    ...(name === 'contract_address' ? addressChecks(entry, input) : []),
    ...(uniqueFields.has(name) ? [uniqueCheck(entry, input)] : []),
    ...(nameFields.has(name)
      ? [
          mixesScripts(entry.field_value)
            ? check('confusable_name', 'fail', 'A word mixes Latin letters with letters that look like them.')
            : check('confusable_name', 'pass', 'No word mixes scripts.'),
        ]
      : []),
    ...(ownSiteFields.has(name) ? [siteCheck('value_same_site', entry.field_value, site)] : []),
    siteCheck('evidence_same_site', entry.evidence_url, site),
    ...(standing === undefined
      ? []
      : [check('replaces_value', 'unknown', `Would replace the approved value ${standing.slice(0, 300)}.`)]),
  ]
}

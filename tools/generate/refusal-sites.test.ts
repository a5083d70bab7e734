import { dirname } from 'node:path'
import { contracts } from '@svc/contracts/all'
import { expect, test } from 'vitest'
import { refusalSites, sitesIn } from './refusal-sites.ts'
import { refusalsPage } from './refusals-page.ts'

const load = (specifier: string) => import(specifier)
const found = async (...lines: readonly string[]) => {
  const head = [
    `import { refuse, RefusalError } from '@svc/contract'`,
    `import { common } from '@svc/contracts'`,
    `import { EdgeRefusal } from '@svc/edge'`,
    `import * as refusals from '@svc/contracts/mandates/refusals'`,
    `import { pairingRefusals as pairing } from '@svc/contracts/identity/pairing'`,
    'const { agentLimit: tooMany } = pairing',
  ]
  const sites = await sitesIn('a.ts', [...head, ...lines].join('\n'), load)
  return sites.map(({ refusal, fix, namesMembers }) => [refusal?.code ?? null, fix, namesMembers])
}

test.each([
  ['a member of a group', `refuse(common.notFound)`, ['not_found', null, false]],
  ['a member of a module', `refuse(refusals.noAgent)`, ['hub_no_agent', null, false]],
  ['a name that is taken out of a group', `const f = () => refuse(tooMany)`, ['agent_limit', null, false]],
  ['a thrown error', `throw new RefusalError(common.forbidden, 'no')`, ['forbidden', null, false]],
  ['a refusal of a caller', `const f = (given: Refusal) => refuse(given)`, [null, null, false]],
  ['a default', `const f = (given = common.internal) => refuse(given)`, ['internal', null, false]],
  ['a fix', `refuse(common.notFound, undefined, { fix: 'Look.' })`, ['not_found', 'Look.', false]],
  [
    'a fix with a part of run time',
    'refuse(common.notFound, undefined, { fix: `Use ${most} or ${a.b}.` })',
    ['not_found', 'Use {most} or {…}.', false],
  ],
  [
    'a fix that is shared by name',
    `const HINT = { fix: 'Look.' } as const\nrefuse(common.notFound, 'no', HINT)`,
    ['not_found', 'Look.', false],
  ],
  [
    'a fix of one case',
    `const HINT = { fix: 'Look.' }\nthrow new EdgeRefusal(common.notFound, { members: { a, ...(b ? HINT : {}) } })`,
    ['not_found', 'Look.', false],
  ],
  ['wrong members', `refuse(common.invalidRequest, undefined, {}, [error])`, ['invalid_request', null, true]],
  [
    'wrong members at the edge',
    `throw new EdgeRefusal(common.invalidRequest, { errors })`,
    ['invalid_request', null, true],
  ],
])('finds %s', async (_what, line, site) => {
  expect(await found(line)).toEqual([site])
})

test('finds each choice of a condition, and no function of the same name that is not imported', async () => {
  expect(await found('refuse(a ? common.notFound : common.forbidden)')).toEqual([
    ['not_found', null, false],
    ['forbidden', null, false],
  ])
  expect(await sitesIn('b.ts', 'const refuse = (x) => x\nrefuse(1)', load)).toEqual([])
})

const sites = await refusalSites(dirname(dirname(import.meta.dirname)))
const fixesOf = (code: string) =>
  sites.filter(({ refusal, fix }) => refusal?.code === code && fix !== null).map(({ fix }) => fix)
const generalSitesOf = (code: string) =>
  sites.filter(({ refusal, fix, namesMembers }) => refusal?.code === code && fix === null && !namesMembers)

test('most sites are found with their code', () => {
  expect(sites.length).toBeGreaterThan(400)
  expect(sites.filter(({ refusal }) => refusal === null).length).toBeLessThan(10)
})

test('where one code serves unlike cases, each site states its own fix', () => {
  expect(generalSitesOf('scope_denied').map(({ file }) => file)).toEqual([])
  expect(generalSitesOf('origin_refused').map(({ file }) => file)).toEqual(['packages/edge/src/secret-cookie.ts'])
  // Two of the three sites of identity and the edge know nothing but that a key has ended or is missing.
  expect(generalSitesOf('unauthenticated').map(({ file }) => file)).toEqual([
    'packages/edge/src/authorize.ts',
    'services/identity/src/keys/operations/create-key.ts',
  ])
  expect(generalSitesOf('not_found').map(({ file }) => file)).toEqual([
    'packages/edge/src/server.ts',
    'packages/mcp/src/door/serve-door.ts',
    'services/gateway/src/security-txt.ts',
  ])
  expect(new Set(fixesOf('rate_limited')).size).toBeGreaterThan(4)
})

test('the page names every site once, without its place in the file', () => {
  const page = refusalsPage(contracts, sites)
  for (const { file } of sites) expect(page).toContain(`\`${file}\``)
  expect(page).not.toMatch(/\.ts:\d/)
})

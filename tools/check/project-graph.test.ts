import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { coveredFolders, findViolations } from './project-graph.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'graph-'))
  await project('packages/contract', 'grammar')
  await project('packages/contracts', 'declarations', ['contract'])
  await project('packages/service', 'kit', ['contract'])
  await project('packages/testing', 'testing', ['service'])
  await project('services/mining', 'service', ['contracts', 'service'], ['testing'])
  await project('services/identity', 'service', ['contracts', 'service'])
})

afterEach(() => rm(root, { recursive: true }))

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

function project(folder: string, layer: string, uses: string[] = [], usesInTests: string[] = []): Promise<void> {
  const versions = (names: string[]) => Object.fromEntries(names.map((name) => [`@svc/${name}`, '*']))
  const name = `@svc/${folder.split('/').at(-1) ?? folder}`
  const text = {
    name,
    nx: { tags: [`layer:${layer}`], targets: { test: {} } },
    dependencies: versions(uses),
    devDependencies: versions(usesInTests),
  }
  return put(`${folder}/package.json`, JSON.stringify(text))
}

test('dependencies that follow the layers pass', async () => {
  await put('services/mining/src/main.ts', "import { serve } from '@svc/service'\nimport './context.ts'\n")
  await put('services/mining/test/submit.test.ts', "import { database } from '@svc/testing'\nimport '../src/main.ts'\n")
  expect(await findViolations(root)).toEqual([])
})

test('a service that imports another service is reported with the rule', async () => {
  await put('services/mining/src/main.ts', "import type { Wallet } from '@svc/identity'\n")
  expect(await findViolations(root)).toEqual([
    {
      from: 'services/mining/src/main.ts',
      to: '@svc/identity',
      rule: 'a service never imports another service: ask it over NATS',
    },
  ])
})

test.each([
  ['a re-export', "export { x } from '@svc/service'\n"],
  ['a dynamic import', "export const x = () => import('@svc/service')\n"],
  ['a type import', "import type { x } from '@svc/service'\n"],
])('%s counts as a dependency', async (_kind, text) => {
  await put('packages/contract/src/index.ts', text)
  expect(await findViolations(root)).toMatchObject([{ from: 'packages/contract/src/index.ts', to: '@svc/service' }])
})

test('a forbidden dependency in package.json is reported even without an import', async () => {
  await project('packages/contract', 'grammar', ['contracts'])
  expect(await findViolations(root)).toMatchObject([{ from: 'packages/contract/package.json', to: '@svc/contracts' }])
})

test('processes of one image import each other in tests alone', async () => {
  await project('services/shop/till', 'service', ['service'], ['door'])
  await project('services/shop/door', 'service')
  await put('services/shop/till/test/pay.test.ts', "import { start } from '@svc/door/main'\n")
  expect(await findViolations(root)).toEqual([])
  await put('services/shop/till/src/pay.ts', "import { open } from '@svc/door/open'\n")
  await put('services/shop/till/test/mine.test.ts', "import { start } from '@svc/mining/main'\n")
  const rule = 'a service never imports another service: ask it over NATS'
  expect((await findViolations(root)).toSorted((one, other) => one.from.localeCompare(other.from))).toEqual([
    { from: 'services/shop/till/src/pay.ts', to: '@svc/door', rule },
    { from: 'services/shop/till/test/mine.test.ts', to: '@svc/mining', rule },
  ])
})

test('a project that signs nothing imports no signer, and uses nothing that does', async () => {
  const nx = { tags: ['layer:service', 'signs:nothing'], targets: { test: {} } }
  await put(
    'services/relay/package.json',
    JSON.stringify({ name: '@svc/relay', nx, dependencies: { '@svc/service': '*' } }),
  )
  await put('services/relay/test/sign.test.ts', "import { sign } from '@svc/hyperliquid/signing'\n")
  await put('services/mining/src/sign.ts', "import { sign } from '@svc/hyperliquid/signing'\n")
  expect(await findViolations(root)).toEqual([])
  await put('packages/service/src/sign.ts', "import { sign } from '@svc/hyperliquid/signing'\n")
  const found = { to: '@svc/hyperliquid/signing', rule: '@svc/relay has the tag signs:nothing' }
  expect(await findViolations(root)).toEqual([{ from: 'packages/service/src/sign.ts', ...found }])
})

test('the testing package is rejected outside tests', async () => {
  await put('services/mining/src/main.ts', "import { database } from '@svc/testing'\n")
  await put('services/mining/src/rules/price.test.ts', "import { clock } from '@svc/testing'\n")
  expect(await findViolations(root)).toMatchObject([{ from: 'services/mining/src/main.ts', to: '@svc/testing' }])
})

test('a relative import that leaves its project is reported', async () => {
  await put('services/mining/src/main.ts', "import '../../identity/src/main.ts'\n")
  expect(await findViolations(root)).toMatchObject([{ rule: 'a relative import stays inside its project' }])
})

test('a project without a tag, or with a tag that does not fit its folder, is reported', async () => {
  await project('services/mining', 'tool')
  await put('services/identity/package.json', '{"name":"@svc/identity","nx":{"targets":{"test":{}}}}')
  expect((await findViolations(root)).map((violation) => violation.from)).toEqual([
    'services/identity',
    'services/mining',
  ])
})

test('a project without the target test is reported, because Nx would skip its tests', async () => {
  await put(
    'packages/contract/package.json',
    JSON.stringify({ name: '@svc/contract', nx: { tags: ['layer:grammar'] } }),
  )
  expect(await findViolations(root)).toEqual([
    {
      from: 'packages/contract',
      to: 'package.json',
      rule: 'its package.json must have the target test in nx.targets',
    },
  ])
})

test('tests of a project run its folder, its development dependencies and what all these use', async () => {
  const tags = { tags: ['layer:tool'], targets: { test: {} }, implicitDependencies: ['tag:layer:service'] }
  await put('tools/package.json', JSON.stringify({ name: '@svc/tools', nx: tags }))
  const covered = await coveredFolders(root)
  expect(covered.get('services/identity')).toEqual([
    'packages/contract',
    'packages/contracts',
    'packages/service',
    'services/identity',
  ])
  expect(covered.get('services/mining')).toContain('packages/testing')
  expect(covered.get('tools')).toEqual(expect.arrayContaining(['services/identity', 'services/mining', 'tools']))
  // What the tests of a dependency use is not run.
  expect(covered.get('tools')).not.toContain('packages/testing')
})

import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

const root = dirname(dirname(import.meta.dirname))
const files = {
  'rules/price.ts': "import { readFileSync } from 'node:fs'\nexport const price = () => [readFileSync, Date.now()]\n",
  'rules/reward.ts':
    "import { usdcText } from '@svc/limits'\nimport { z } from 'zod'\nexport const reward = [usdcText, z.int()]\n",
  'store/prices.ts': "import { sql } from '@svc/postgres'\nexport const prices = () => sql\n",
  'operations/submit.ts': "import { sql } from '@svc/postgres'\nexport const submit = () => sql\n",
  'operations/review.ts':
    "import { submit } from './submit.ts'\nimport { payouts } from '../jobs/payouts.ts'\nexport const review = [submit, payouts]\n",
  'jobs/payouts.ts': "import { far } from '../../far.ts'\nexport const payouts = far\n",
  'a.ts': "import { b } from './b.ts'\nexport const a = (): unknown => b\n",
  'b.ts': "import { a } from './a.ts'\nexport const b = (): unknown => a\n",
  'context.ts': 'const work = async () => {}\nexport const start = () => {\n  work()\n}\n',
  'routes.ts': 'export const asked = (request: { readonly query: unknown }) => request.query\n',
  'handlers.ts':
    "export const name = (kind: 'x' | 'y') => {\n  switch (kind) {\n    case 'x':\n      return 1\n  }\n  return 2\n}\n",
} satisfies Record<string, string>

const report = z.object({ diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })) })
let found: string[]

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lint-'))
  for (const name of ['.oxlintrc.json', 'tsconfig.json', 'tsconfig.base.json'])
    await cp(join(root, name), join(folder, name))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, 'services/shop/src', path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  const run = spawnSync(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), '--format=json'], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
    },
  })
  found = report
    .parse(JSON.parse(run.stdout))
    .diagnostics.map(({ code, filename }) => `${filename.split('shop/src/')[1]} ${code}`)
    .toSorted()
  await rm(folder, { recursive: true })
})

test.each([
  ['rules/ does no I/O', 'rules/price.ts eslint(no-restricted-imports)'],
  ['rules/ does not read the clock', 'rules/price.ts eslint(no-restricted-properties)'],
  ['SQL stays in store/', 'operations/submit.ts eslint(no-restricted-imports)'],
  ['an import does not go two folders up', 'jobs/payouts.ts eslint(no-restricted-imports)'],
  ['imports do not form cycles', 'a.ts import(no-cycle)'],
  ['a promise is not left floating', 'context.ts typescript(no-floating-promises)'],
  ['the query of a request is read parsed', 'routes.ts eslint(no-restricted-properties)'],
  ['a switch names every case', 'handlers.ts typescript(switch-exhaustiveness-check)'],
])('%s', (_rule, finding) => {
  expect(found).toContain(finding)
})

test('operations and jobs do not import each other', () => {
  expect(found.filter((finding) => finding === 'operations/review.ts eslint(no-restricted-imports)')).toHaveLength(2)
})

test('imports that the layers allow are not reported', () => {
  expect(found.filter((finding) => /^(rules\/reward|store\/prices)/.test(finding))).toEqual([])
})

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findSubjectProblems } from './subjects.ts'

let root: string

const README = `# shop

## Subjects

- \`orders/\` — what customers buy.
  Contract: \`@svc/contracts/shop/orders\`
- \`stock/\` — what there is. Contract: \`@svc/contracts/shop\`

## Flow

- \`elsewhere/\` is no subject.
`

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'subjects-'))
  const exports = { '.': './src/index.ts', './shop': './src/shop/contract.ts', './*': './src/*.ts' }
  await put('packages/contracts/package.json', JSON.stringify({ exports }))
  await put('packages/contracts/src/shop/contract.ts')
  await put('packages/contracts/src/shop/orders.ts')
  await put('services/shop/README.md', README)
  await put('services/shop/src/handlers.ts', "import './orders/operations/buy.ts'\nimport './stock/store/items.ts'\n")
  await put('services/shop/src/context.ts', "import './orders/rules/price.ts'\n")
  await put('services/shop/src/or-null.ts')
  await put('services/shop/src/orders/rules/price.ts', "import '#or-null.ts'\n")
  await put(
    'services/shop/src/orders/operations/buy.ts',
    "import '../rules/price.ts'\nimport '#stock/store/items.ts'\nimport type { C } from '#context.ts'\n",
  )
  await put('services/shop/src/stock/store/items.ts', "import '#or-null.ts'\nimport type { C } from '#context.ts'\n")
})

afterEach(() => rm(root, { recursive: true }))

async function put(path: string, text = 'export {}\n'): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

test('imports that follow the list of subjects pass', async () => {
  expect(await findSubjectProblems(root)).toEqual([])
})

test('a service without a list of subjects is not checked', async () => {
  await put('services/shop/README.md', '# shop\n')
  await put('services/shop/src/loose.ts')
  expect(await findSubjectProblems(root)).toEqual([])
})

test('an import from a subject higher in the list is reported, relative or by #', async () => {
  await put('services/shop/src/stock/store/items.ts', "import '#orders/rules/price.ts'\nimport '#or-null.ts'\n")
  await put('services/shop/src/stock/count.ts', "export { p } from '../orders/rules/price.ts'\n")
  const problem = 'imports #orders/rules/price.ts, but orders/ stands above stock/ under "## Subjects"'
  expect(await findSubjectProblems(root)).toEqual([
    { file: 'services/shop/src/stock/count.ts', problem },
    { file: 'services/shop/src/stock/store/items.ts', problem },
  ])
})

test('an import from a higher subject through a shared file is reported', async () => {
  await put('services/shop/src/or-null.ts', "import './orders/rules/tax.ts'\n")
  await put('services/shop/src/orders/rules/tax.ts')
  expect(await findSubjectProblems(root)).toMatchObject([
    { file: 'services/shop/src/stock/store/items.ts', problem: expect.stringContaining('#orders/rules/tax.ts') },
  ])
})

test('a test may import from every subject', async () => {
  await put('services/shop/src/stock/store/items.test.ts', "import '#orders/rules/price.ts'\n")
  expect(await findSubjectProblems(root)).toEqual([])
})

test('a subject without a folder and a folder without a subject are reported', async () => {
  await rm(join(root, 'services/shop/src/stock'), { recursive: true })
  await put('services/shop/src/operations/sell.ts', "import '#or-null.ts'\n")
  await put('services/shop/src/orders/view.ts', "import '#or-null.ts'\n")
  expect(await findSubjectProblems(root)).toEqual([
    {
      file: 'services/shop/README.md',
      problem: 'lists the subject stock/, but services/shop/src/stock does not exist',
    },
    { file: 'services/shop/src/operations', problem: 'is not listed under "## Subjects" of the README' },
    {
      file: 'services/shop/src/or-null.ts',
      problem: 'lies loose at src, but only orders/ uses it: move it into the folder of its subject',
    },
  ])
})

test('a contract that does not exist is reported', async () => {
  await rm(join(root, 'packages/contracts/src/shop/orders.ts'))
  expect(await findSubjectProblems(root)).toEqual([
    { file: 'services/shop/README.md', problem: 'names @svc/contracts/shop/orders, which does not exist' },
  ])
})

test('a file at src that fewer than two subjects use is reported', async () => {
  await put('services/shop/src/unused.ts')
  await put('services/shop/src/price-view.ts')
  await put('services/shop/src/orders/rules/price.ts', "import '#or-null.ts'\nimport '#price-view.ts'\n")
  expect(await findSubjectProblems(root)).toEqual([
    {
      file: 'services/shop/src/price-view.ts',
      problem: 'lies loose at src, but only orders/ uses it: move it into the folder of its subject',
    },
    {
      file: 'services/shop/src/unused.ts',
      problem: 'lies loose at src, but no subject uses it: move it into the folder of its subject',
    },
  ])
})

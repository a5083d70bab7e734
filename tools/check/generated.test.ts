import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkGenerated } from './generated.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'generated-'))
  await mkdir(join(root, 'docs/api'), { recursive: true })
  await mkdir(join(root, 'tools/generate'), { recursive: true })
  await writeFile(join(root, 'docs/api/openapi.json'), '{"version":1}')
})
afterEach(() => rm(root, { recursive: true }))

const generator = (text: string) => writeFile(join(root, 'tools/generate/main.ts'), text)

test('documents that come out the same are fresh', async () => {
  await generator(
    "import { writeFileSync } from 'node:fs'\nwriteFileSync('docs/api/openapi.json', '{\"version\":1}')\n",
  )
  expect(await checkGenerated(root)).toMatchObject({ code: 0 })
})

test.each([
  ['changes', "writeFileSync('docs/api/openapi.json', '{\"version\":2}')", 'docs/api/openapi.json'],
  ['appears', "writeFileSync('docs/api/settings.md', '# Settings')", 'docs/api/settings.md'],
  ['disappears', "rmSync('docs/api/openapi.json')", 'docs/api/openapi.json'],
])('a document that %s is stale and is named', async (_kind, statement, path) => {
  await generator(`import { rmSync, writeFileSync } from 'node:fs'\nvoid rmSync\nvoid writeFileSync\n${statement}\n`)
  const { code, output } = await checkGenerated(root)
  expect(code).toBe(1)
  expect(output).toContain(path)
})

test('a generator that fails is a failure', async () => {
  await generator("throw new Error('no contracts')\n")
  const { code, output } = await checkGenerated(root)
  expect(code).not.toBe(0)
  expect(output).toContain('no contracts')
})

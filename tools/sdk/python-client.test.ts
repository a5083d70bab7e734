import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { openApi } from '@svc/edge'
import { expect, test } from 'vitest'
import { documentOptions } from '../generate/document-options.ts'

const root = dirname(dirname(import.meta.dirname))
const page = readFileSync(join(root, 'docs/python-client.md'), 'utf8')
const snake = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_')

const GENERATOR = 'openapi-python-client'
/** Words of the page that make the client. */
const commands = /^openapi-python-client generate (.+)$/m.exec(page)?.[1]?.split(' ') ?? []

test('the programs of the page about Python import operations that the OpenAPI document has, under their service', () => {
  const imported = [...page.matchAll(/from cherry_client\.api\.(\w+) import (\w+)/g)].map(
    ([, tag, name]) => `${tag}.${name}`,
  )
  const { routes } = documentOptions()
  const described = routes.map(({ operation }) => `${snake(operation.service)}.${snake(operation.key)}`)
  expect(imported).toHaveLength(3)
  expect(described).toEqual(expect.arrayContaining(imported))
  expect(page).toContain('auth_header_name="X-SVC-User-Key"')
})

test('the document has nothing at which the generator stops or which it leaves out', () => {
  const document = openApi(documentOptions()) as unknown as Described
  const { schemas } = document.components
  // It names the members of an enum by their letters, and stops where two get one name; literals have no names.
  const isNamed = ({ enum: words }: Schema) => {
    const names = (words ?? []).map((word) => String(word).replaceAll(/\W/g, '').toUpperCase())
    return new Set(names).size === names.length
  }
  expect(Object.values(schemas).every(isNamed)).toBe(false)
  expect(page).toContain("echo 'literal_enums: true' > generator.yaml")
  expect(commands.join(' ')).toContain('--config generator.yaml')
  // It leaves a schema of two parts out unless a member of both is an enum whose words are among those of the first.
  const codes = schemas['ProblemCode']?.enum ?? []
  const parts = Object.values(schemas).flatMap(({ allOf }) => (allOf === undefined ? [] : [allOf]))
  expect(parts.length).toBeGreaterThan(40)
  for (const [base, own] of parts) {
    expect(base).toEqual({ $ref: '#/components/schemas/Problem' })
    expect(codes).toEqual(expect.arrayContaining([...(own?.properties?.['code']?.enum ?? [null])]))
    const both = Object.keys(own?.properties ?? {}).filter((name) => name in (schemas['Problem']?.properties ?? {}))
    expect(both).toEqual(['code'])
  }
})

interface Schema {
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly allOf?: readonly Schema[]
}
interface Described {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

test('the commands of the page make a client of Python from the document, which reads open routes', async ({
  skip,
}) => {
  if (spawnSync(GENERATOR, ['--version']).status !== 0)
    skip(`${GENERATOR} is not installed: pip install openapi-python-client httpx attrs python-dateutil`)
  const folder = mkdtempSync(join(tmpdir(), 'svc-python-'))
  const options = documentOptions()
  const server = createServer((request, response) => {
    const answer = request.url?.startsWith('/board') === true ? 'market-data.readBoard 200' : 'mining.readPrices 200'
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(options.examples[answer]))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openApi(options)))
    writeFileSync(join(folder, 'generator.yaml'), 'literal_enums: true\n')
    execFileSync(GENERATOR, ['generate', ...commands], { cwd: folder })
    const [, program = ''] = /```python\n(.*?)```/s.exec(page) ?? []
    const { port } = server.address() as AddressInfo
    writeFileSync(join(folder, 'program.py'), program.replace('127.0.0.1:8080', `127.0.0.1:${port}`))
    // The server answers from this process, so the program may not block it.
    const { stdout } = await promisify(execFile)('python3', ['program.py'], { cwd: folder })
    expect(stdout.split('\n').filter((line) => line !== '' && line !== 'None')).toHaveLength(2)
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

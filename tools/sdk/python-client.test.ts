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

/** The generators that are installed here. */
const installed = ['openapi-python-client'].filter((name) => spawnSync(name, ['--version']).status === 0)

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

test.each(installed)('%s makes a client of Python from the document, which reads open routes', async (generator) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-python-'))
  const options = documentOptions()
  const server = createServer((request, response) => {
    const answer = request.url?.startsWith('/board') === true ? 'market-data.readBoard 200' : 'mining.readPrices 200'
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(options.examples[answer]))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openApi(options)))
    const words = ['generate', '--path', 'openapi.json', '--meta', 'none', '--output-path', 'cherry_client']
    execFileSync(generator, words, { cwd: folder })
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

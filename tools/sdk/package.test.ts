import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build } from 'vite'
import { builtSdk } from './build.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'svc-sdk-'))
/** The oldest Node that the SDK supports, where one is installed. */
const oldest = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((path) => join(path, 'node'))
  .filter((node) => String(spawnSync(node, ['--version']).stdout).startsWith('v20.'))
  .slice(0, 1)

beforeAll(() => run('sh', ['-c', 'npm run sdk'], { cwd: join(import.meta.dirname, '../..') }))
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

test('the packed SDK installs in an empty folder without another package, and runs', async () => {
  await run('npm', ['pack', builtSdk, '--pack-destination', folder, '--silent'], { cwd: folder })
  const packed = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  expect(packed).toBeDefined()
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed}`], { cwd: folder })
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@svc'])
  expect(readdirSync(join(folder, 'node_modules/@svc'))).toEqual(['sdk'])
  const program = `
    import { createClient, RefusalError } from '@svc/sdk'
    import { verifyRecord } from '@svc/sdk/record'
    const answer = { method: '', url: '' }
    const fetch = async (url, { method }) => { answer.url = url; answer.method = method; return Response.json({ balance: 7 }) }
    const { api } = createClient({ baseUrl: 'https://api.example.org/', apiKey: 'k', fetch })
    const { balance } = await api.readBalance()
    console.log(JSON.stringify({ balance, ...answer, routes: Object.keys(api).length, verify: typeof verifyRecord, refusal: RefusalError.name }))`
  writeFileSync(join(folder, 'program.js'), program)
  for (const node of [process.execPath, ...oldest]) {
    const { stdout } = await run(node, ['program.js'], { cwd: folder })
    expect(JSON.parse(stdout), node).toMatchObject({
      balance: 7,
      method: 'GET',
      url: 'https://api.example.org/subscriptions/cherries/balance',
      verify: 'function',
      refusal: 'RefusalError',
    })
  }
})

test('the built modules import nothing but each other, so that they run in browsers', () => {
  const files = readdirSync(builtSdk, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(js|d\.ts)$/.test(name),
  )
  const imported = files.flatMap((name) =>
    [...readFileSync(join(builtSdk, name), 'utf8').matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map(([, path]) => path),
  )
  expect(imported.length).toBeGreaterThan(10)
  expect(imported.filter((path) => path?.startsWith('./') !== true && path?.startsWith('../') !== true)).toEqual([])
})

test('the whole SDK in one bundle is at most 25 kB with gzip', async () => {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: true, lib: { entry: join(builtSdk, 'index.js'), formats: ['es'] } },
  })
  const [bundle] = [built].flat()
  const [chunk] = bundle !== undefined && 'output' in bundle ? bundle.output : []
  const code = chunk?.type === 'chunk' ? chunk.code : ''
  expect(code.length).toBeGreaterThan(10_000)
  expect(gzipSync(code).length).toBeLessThanOrEqual(25_000)
})

import { execFile } from 'node:child_process'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

const root = dirname(dirname(import.meta.dirname))
const run = promisify(execFile)
const manifest = z.object({ name: z.string(), version: z.string() })

/** Folder of the built package: `npm pack` and `npm publish` take it as it is. */
export const builtSdk = join(root, 'packages/sdk/dist')

/** Builds the package that is published: modules, their types, a package.json without the workspace, and the README. */
export async function buildSdk(): Promise<void> {
  const from = join(root, 'packages/sdk')
  await rm(builtSdk, { recursive: true, force: true })
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [tsc, '-p', join(from, 'tsconfig.build.json')], { maxBuffer: 10_000_000 })
  const { name, version } = manifest.parse(JSON.parse(await readFile(join(from, 'package.json'), 'utf8')))
  const entry = (path: string) => ({ types: `./${path}.d.ts`, default: `./${path}.js` })
  const published = {
    name,
    version,
    description: 'Client of the Cherry platform: every route, sign-in with a wallet, vault calls, proof of a record.',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.3' },
    exports: { '.': entry('index'), './record': entry('record/index'), './x402': entry('x402/cherry-credit') },
  }
  await writeFile(join(builtSdk, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  await copyFile(join(from, 'README.md'), join(builtSdk, 'README.md'))
}

import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '../../..')

/**
 * Copies the contracts into an empty folder, adds files of venues by their ids, and returns a module that makes a process
 * use the copy (`node --import`): what a product with these files would be.
 */
export function contractsWithVenues(folder: string, files: Readonly<Record<string, string>>): string {
  const copy = join(folder, 'contracts')
  cpSync(join(root, 'packages/contracts'), copy, { recursive: true })
  for (const [id, text] of Object.entries(files)) writeFileSync(join(copy, `src/market-data/venues/${id}.ts`), text)
  mkdirSync(join(folder, 'node_modules/@svc'), { recursive: true })
  symlinkSync(copy, join(folder, 'node_modules/@svc/contracts'))
  for (const name of ['@svc/contract', '@svc/limits', 'zod'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  const hook = join(folder, 'use-copy.mjs')
  const parent = JSON.stringify(pathToFileURL(join(folder, 'main.mjs')).href)
  writeFileSync(
    hook,
    `import { registerHooks } from 'node:module'
registerHooks({ resolve: (name, context, next) =>
  next(name, /^@svc\\/contracts($|\\/)/.test(name) ? { ...context, parentURL: ${parent} } : context) })
`,
  )
  return hook
}

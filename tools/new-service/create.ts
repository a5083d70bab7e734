import { existsSync } from 'node:fs'
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const templateFolder = join(import.meta.dirname, 'template')
const namePattern = /^[a-z]+(-[a-z]+)*$/
const nameLengthMax = 30
const composeFile = 'infra/local/compose.yaml'
/** A service with a schema and without own settings: its container has only what every service needs. */
const plainService = 'research-reports'

/** Returns why a service cannot have this name, as a sentence; null if it can. */
export function nameProblem(root: string, name: string): string | null {
  if (!namePattern.test(name) || name.length > nameLengthMax)
    return `"${name}" is not a service name: use lower-case words joined by single dashes, at most ${nameLengthMax} characters.`
  if (existsSync(join(root, 'services', name)) || existsSync(join(root, 'packages/contracts/src', `${name}.ts`)))
    return `There is a service or a contract named "${name}" already: choose another name.`
  return null
}

/** Writes the service and its contract and adds them to the lists; returns the paths that were written, relative to the root. */
export async function createService(root: string, name: string): Promise<string[]> {
  const words = await wordsOf(root, name)
  const written: string[] = []
  for await (const template of glob('**/*.tmpl', { cwd: templateFolder })) {
    const text = fill(await readFile(join(templateFolder, template), 'utf8'), words)
    const path = template
      .replace(/^contracts\//, 'packages/contracts/src/')
      .replace(/^service\//, `services/${name}/`)
      .replaceAll('__name__', name)
      .replace(/\.tmpl$/, '')
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
    written.push(path)
  }
  await edit(root, 'packages/contracts/src/all.ts', (text) => listContract(text, name, words['camel'] ?? name))
  await edit(root, 'CODEOWNERS', (text) => addOwners(text, name))
  await edit(root, composeFile, (text) => addContainer(text, name))
  return [...written, 'packages/contracts/src/all.ts', 'CODEOWNERS', composeFile]
}

async function wordsOf(root: string, name: string): Promise<Record<string, string>> {
  const contracts: unknown = JSON.parse(await readFile(join(root, 'packages/contracts/package.json'), 'utf8'))
  const zod = (contracts as { dependencies: { zod: string } }).dependencies.zod
  const parts = name.split('-')
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
  const pascal = parts.map(capital).join('')
  const snake = parts.join('_')
  return {
    name,
    zod,
    pascal,
    snake,
    schema: snake,
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    title: capital(parts.join(' ')),
  }
}

function fill(text: string, words: Record<string, string>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_placeholder, word: string) => {
    const value = words[word]
    if (value === undefined) throw new Error(`the template asks for an unknown word "${word}"`)
    return value
  })
}

async function edit(root: string, path: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(join(root, path), 'utf8')
  const changed = change(text)
  if (changed === text) throw new Error(`${path} does not have the expected form: add the service by hand`)
  await writeFile(join(root, path), changed)
}

/** Lists the contract before the gateway, which stays the last to start. */
function listContract(text: string, name: string, camel: string): string {
  return text
    .replace(/^import \{ gateway \}/m, `import { ${camel} } from './${name}.ts'\nimport { gateway }`)
    .replace(/\bgateway(,?\s*\])/, `${camel}, gateway$1`)
}

function addOwners(text: string, name: string): string {
  const line = (path: string): string => `${path.padEnd(40)} @svc/${name}-team\n`
  return text
    .replace(/(?:^\/services\/.*\n)+/m, (block) => block + line(`/services/${name}/`))
    .replace(/(?:^\/packages\/contracts\/src\/.*\n)+/m, (block) => block + line(`/packages/contracts/src/${name}*`))
}

/** Copies the container of the plainest service under the new name. */
function addContainer(text: string, name: string): string {
  const block = new RegExp(`^  ${plainService}:\\n(?:    .*\\n)+`, 'm').exec(text)?.[0] ?? ''
  const snake = (service: string): string => service.replaceAll('-', '_')
  const added = block.replaceAll(plainService, name).replaceAll(snake(plainService), snake(name))
  return text.replace(/^volumes:$/m, `${added}\nvolumes:`)
}

import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { placeOf, type Contract, type Operation } from '@svc/contract'
import { code, page, table } from './markdown.ts'

/** Where an operation is declared, written and tested; paths relative to the root, null for what was not found. */
export interface Source {
  readonly name: string
  readonly route: string | null
  readonly declared: string | null
  /** The file of its function, at the place that follows from the name of the operation and the subject of its contract. */
  readonly written: string | null
  /**
   * The test of its name, else the one of its subject that names it most often, else of its service, else a flow; for what
   * tests reach through a rig alone, the rig.
   */
  readonly tested: string | null
}

const CONTRACTS = 'packages/contracts/src'

/** Returns where every operation of the contracts is declared, written and tested. */
export async function sourcesOf(contracts: readonly Contract[], root: string): Promise<readonly Source[]> {
  const read = (path: string) => [path, readFileSync(join(root, path), 'utf8')] as const
  const tests = (pattern: string) => globSync(pattern, { cwd: root }).toSorted().map(read)
  const flows = tests('tools/flow/**/*.{test,suite}.ts')
  const rigs = tests('services/{*,*/*}/test/**/*.ts')
  const sources: Source[] = []
  for (const contract of contracts) {
    const declarations = await declarationsOf(contract.name, root)
    const { folder, sources: src } = placeOf(contract)
    const own = tests(`${folder}/{src,test}/**/*.test.ts`)
    for (const operation of Object.values(contract.operations as Record<string, Operation>)) {
      const { key } = operation
      const [declared = null] = declarations.find(([, declares]) => declares(operation)) ?? []
      const subject = declared?.startsWith(`${CONTRACTS}/${contract.name}/`) ? `${src}/${subjectOf(declared)}` : src
      const written = `${subject}/operations/${kebab(key)}.ts`
      const named = own.find(([path]) => path.endsWith(`/${kebab(key)}.test.ts`))?.[0]
      const ofSubject = own.filter(([path]) => path.startsWith(`${folder}/test/${subject.slice(src.length + 1)}/`))
      const groups = [ofSubject, own, flows, rigs]
      sources.push({
        name: `${contract.name}.${key}`,
        route: operation.http ?? null,
        declared,
        written: existsSync(join(root, written)) ? written : null,
        tested: named ?? groups.map((group) => mostOften(operation, group)).find((path) => path !== null) ?? null,
      })
    }
  }
  return sources
}

/** Returns the page of where operations are declared, written and tested. */
export function sourcesPage(sources: readonly Source[]): string {
  return page(
    'Where each operation is',
    'The test is the one of its name, else the one of its subject that names it most often, else of its service, else a flow, else a rig.',
    table(
      ['Operation', 'Route', 'Declared', 'Written', 'Tested'],
      sources.map((one) => [
        code(one.name),
        ...[one.route, one.declared, one.written, one.tested].map((text) => (text === null ? '' : code(text))),
      ]),
    ),
  )
}

const subjectOf = (declared: string): string => declared.slice(declared.lastIndexOf('/') + 1, -'.ts'.length)
const kebab = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

type Declares = (operation: Operation) => boolean

/** Returns the files that declare operations of a service, each with what tells whether it declares one. */
async function declarationsOf(service: string, root: string): Promise<readonly (readonly [string, Declares])[]> {
  const files = globSync([`${CONTRACTS}/${service}.ts`, `${CONTRACTS}/${service}/*.ts`], { cwd: root })
    .filter((path) => !/(\.test|\/contract)\.ts$/.test(path))
    .toSorted()
  return Promise.all(
    files.map(async (path) => {
      const module = (await import(pathToFileURL(join(root, path)).href)) as Record<string, unknown>
      const groups = Object.values(module).filter((one) => typeof one === 'object' && one !== null)
      const declares: Declares = ({ key, success }) =>
        groups.some((group) => (group as Record<string, Partial<Operation> | undefined>)[key]?.success === success)
      return [path, declares] as const
    }),
  )
}

/** Returns the test that names an operation most often, by its key or its route; the first of equals. */
function mostOften({ key, http }: Operation, tests: readonly (readonly [string, string])[]): string | null {
  const path = http?.split(' ')[1] ?? null
  const route = path?.replaceAll(/[.*+?()[\]\\^$|]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, '[^/\'"`\\s]+')
  const names = new RegExp(
    [String.raw`\b${key}\b`, ...(route === undefined ? [] : [`${route}(?=['"\`?\\s])`])].join('|'),
    'g',
  )
  let found: string | null = null
  let times = 0
  for (const [file, text] of tests) {
    const here = [...text.matchAll(names)].length
    if (here > times) [found, times] = [file, here]
  }
  return found
}

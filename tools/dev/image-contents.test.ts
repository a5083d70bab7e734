import { readFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { placeOf } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { runCommand } from '../check/run-command.ts'

const root = dirname(dirname(import.meta.dirname))
const timeoutMs = 180_000
const lockfile = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) })

/** The commands of the stage that installs a service's dependencies, with the image's paths in `folder`. */
function installCommands(folder: string): string {
  const stage = /^FROM sources AS dependencies\n([\s\S]*?)^FROM /m.exec(
    readFileSync(join(root, 'infra/docker/Dockerfile'), 'utf8'),
  )?.[1]
  const steps = [...(stage ?? '').matchAll(/^(RUN|COPY) ((?:.*\\\n)*.*)$/gm)].map(([, word, rest = '']) =>
    rest.replaceAll(' /tmp/', ` ${folder}/`).replace(/^/, word === 'RUN' ? '' : `cp ${root}/`),
  )
  return steps.join(' && ')
}

const versionsOf = async (file: string) => lockfile.parse(JSON.parse(await readFile(file, 'utf8'))).packages

test.each(
  process.env['TEST_LONG'] === '1' ? [...new Set(contracts.map((contract) => placeOf(contract).image))] : ['gateway'],
)(
  'the image of %s holds what the service imports, in the versions of the lockfile, and no test tool',
  async (service) => {
    const folder = await mkdtemp(join(tmpdir(), 'image-'))
    const app = join(folder, 'app')
    try {
      for (const entry of ['package.json', 'package-lock.json', '.npmrc', 'packages', 'services', 'tools'])
        await cp(join(root, entry), join(app, entry), {
          recursive: true,
          filter: (path) => !path.includes('/node_modules'),
        })
      const install = await runCommand(['sh', '-c', installCommands(folder)], {
        cwd: app,
        env: { SERVICE: service, npm_config_prefer_offline: 'true' },
        timeoutMs,
      })
      expect(install.code, install.output).toBe(0)
      const [wanted, found] = [
        await versionsOf(join(root, 'package-lock.json')),
        await versionsOf(join(app, 'node_modules/.package-lock.json')),
      ]
      const libraries = Object.keys(found).filter((path) => path.startsWith('node_modules/'))
      for (const tool of ['vitest', 'testcontainers', 'ssh2', 'typescript', '@svc/testing', '@svc/servers'])
        expect(libraries).not.toContain(`node_modules/${tool}`)
      if (service === 'gateway') expect(libraries).not.toContain('node_modules/viem')
      const others = libraries.filter(
        (path) => wanted[path] !== undefined && wanted[path].version !== found[path]?.version,
      )
      expect(others).toEqual([])
      const loaded = await runCommand(
        ['node', '--input-type=module', '-e', `await import('./services/${service}/src/main.ts')`],
        {
          cwd: app,
          timeoutMs,
        },
      )
      expect(loaded).toMatchObject({ code: 0, output: '' })
    } finally {
      await rm(folder, { recursive: true })
    }
  },
  timeoutMs,
)

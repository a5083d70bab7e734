import { readFileSync } from 'node:fs'
import { cp, lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { placeOf } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { runCommand } from '../check/run-command.ts'

const root = dirname(dirname(import.meta.dirname))
const timeoutMs = 180_000
/** Bytes of an image, without compression. */
const SIZE_MAX = 220_000_000
const billOfMaterials = z.object({ components: z.array(z.object({ purl: z.string() })) })
const lockfile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), link: z.boolean().optional() })),
})

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
  'the image of %s holds what the service imports, in the versions of the lockfile, within 220 MB, no test tool and no shell, and lists it all',
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

      const image = join(folder, 'image')
      const assemble = [process.execPath, join(root, 'infra/docker/image-contents.mjs'), service, image]
      const assembled = await runCommand(assemble, { cwd: app, timeoutMs })
      expect(assembled.code, assembled.output).toBe(0)
      const loaded = await runCommand(
        [join(image, 'usr/local/bin/node'), '--input-type=module', '-e', "await import('./service.ts')"],
        { cwd: join(image, 'app'), timeoutMs },
      )
      expect(loaded).toMatchObject({ code: 0, output: '' })
      const files = (await readdir(image, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
      const sizes = await Promise.all(
        files.map(async (entry) => (await lstat(join(entry.parentPath, entry.name))).size),
      )
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(SIZE_MAX)
      expect(files.filter(({ name }) => /^(sh|bash|dash|busybox|npm)$/.test(name))).toEqual([])
      const bill = billOfMaterials.parse(JSON.parse(await readFile(join(image, 'app/sbom.json'), 'utf8')))
      const listed = new Set(bill.components.map(({ purl }) => purl))
      const unlisted = libraries.filter((path) => {
        const { version, link } = found[path] ?? {}
        const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length).replace('@', '%40')
        return link !== true && !listed.has(`pkg:npm/${name}@${version}`)
      })
      expect(unlisted).toEqual([])
    } finally {
      await rm(folder, { recursive: true })
    }
  },
  timeoutMs,
)

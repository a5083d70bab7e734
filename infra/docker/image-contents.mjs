// Puts what an image holds into a folder: Node, the shared libraries that it and native addons load, the service, and its bill of
// materials in CycloneDX (/app/sbom.json), without whatever differs between two builds of the same commit.
//   node image-contents.mjs <service>|setup <folder>
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const [service, folder] = process.argv.slice(2)
const text = (command, ...args) => execFileSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
// The bill of materials names each package with its version, the root of the workspace too.
writeFileSync('package.json', JSON.stringify({ version: '0.0.0', ...JSON.parse(readFileSync('package.json', 'utf8')) }))
/** Files that nothing loads at run time. */
const unused = /\.(d\.[cm]?ts|map|md|markdown|flow)$|\/(ccxt\/(dist|js\/test)|viem\/_types|ox\/_types)(\/|$)/
mkdirSync(`${folder}/app`, { recursive: true })
mkdirSync(`${folder}/tmp`, { mode: 0o1777 })
cpSync('.', `${folder}/app`, {
  recursive: true,
  verbatimSymlinks: true,
  filter: (path) => !(path.startsWith('node_modules/') && unused.test(path)),
})
/** Of an image with several services the one of its name starts; the others are started by a command. */
const partOfImage = () =>
  globSync(`services/${service}{,/*}/package.json`)
    .map((path) => dirname(path))
    .find((path) => JSON.parse(readFileSync(`${path}/package.json`, 'utf8')).name === `@svc/${service}`)
const part = service === 'setup' ? 'tools' : partOfImage()
const main = service === 'setup' ? 'tools/dev/setup.ts' : `${part}/src/main.ts`
symlinkSync(main, `${folder}/app/service.ts`)

/** Addons for other systems, of which some packages carry one each, load nothing here. */
const loaded = [process.execPath, ...globSync('node_modules/**/*.node')].flatMap((file) =>
  [...(spawnSync('ldd', [file], { encoding: 'utf8' }).stdout ?? '').matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path),
)
for (const path of new Set(loaded)) cpSync(realpathSync(path), `${folder}${path}`)
cpSync(process.execPath, `${folder}/usr/local/bin/node`)

const { serialNumber: _random, ...bill } = JSON.parse(text('npm', 'sbom', '--omit=dev', '--sbom-format=cyclonedx'))
const { timestamp: _now, ...metadata } = bill.metadata
const node = {
  type: 'platform',
  name: 'node',
  version: process.versions.node,
  purl: `pkg:generic/node@${process.versions.node}`,
}
const { name, version } = JSON.parse(readFileSync(`${part}/package.json`, 'utf8'))
const component = { ...metadata.component, name, version }
writeFileSync(
  `${folder}/app/sbom.json`,
  JSON.stringify({ ...bill, metadata: { ...metadata, component }, components: [node, ...bill.components] }),
)

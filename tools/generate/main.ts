import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { contracts } from '@svc/contracts/all'
import { openApi } from '@svc/edge'
import { generatedFiles } from '@svc/vault/artifacts'
import { arazzo } from './arazzo.ts'
import { asyncApi } from './asyncapi.ts'
import { asyncApiFeeds } from './asyncapi-feeds.ts'
import { deploymentFiles } from './deployment/files.ts'
import { documentOptions } from './document-options.ts'
import { documentText } from './document-text.ts'
import { observabilityFiles } from './observability/files.ts'
import { errorsPage, settingsPage, subjectsPage, venueRigPage } from './pages.ts'
import { readersModule } from './readers.ts'
import { refusalSites } from './refusal-sites.ts'
import { refusalsPage } from './refusals-page.ts'
import { schemaPages } from './schema-pages.ts'
import { sdkRoutes, sdkTypes } from './sdk-routes.ts'
import { sourcesOf, sourcesPage } from './sources-page.ts'

const HELP = `npm run generate -- [--check]

Writes docs/api/, the types of the SDK, the generated parts of k8s/ and infra/, and services/<service>/schema.md from the
contracts and migrations, and packages/vault/src/generated/ and packages/chain/generated/ from the Solidity sources.

  --check  write nothing; fail and name the files whose text is not what would be written
  --help   this text
`

const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
})
const root = dirname(dirname(import.meta.dirname))

async function run(): Promise<void> {
  const files = new Map([
    ['docs/api/openapi.json', documentText(openApi(documentOptions()))],
    ['docs/api/openapi-staff.json', documentText(openApi(documentOptions(), 'staff'))],
    ['packages/sdk/src/generated/routes.ts', sdkRoutes(documentOptions())],
    ['packages/sdk/src/generated/types.ts', sdkTypes(documentOptions())],
    ['docs/api/asyncapi.json', `${JSON.stringify(asyncApi(contracts, documentOptions().version), null, 1)}\n`],
    [
      'docs/api/asyncapi-feeds.json',
      documentText(asyncApiFeeds(documentOptions().publicUrl, documentOptions().version)),
    ],
    ['packages/contracts/src/generated/readers.ts', readersModule(contracts)],
    ['docs/api/arazzo.json', documentText(arazzo(documentOptions()))],
    ['docs/api/subjects.md', subjectsPage(contracts)],
    ['docs/api/settings.md', settingsPage(contracts)],
    ['docs/api/errors.md', errorsPage(contracts)],
    ['docs/api/refusals.md', refusalsPage(contracts, await refusalSites(root))],
    ['docs/api/sources.md', sourcesPage(await sourcesOf(contracts, root))],
    ['docs/venue-rig.md', venueRigPage()],
    ...deploymentFiles(contracts),
    ...observabilityFiles(),
    ...(await schemaPages(contracts, root)),
    ...(await generatedFiles()),
  ])
  await settle(files)
  // Loaded only now: the addresses in the descriptors follow from the bytecode that was just written.
  const { clearSigningFiles } = await import('@svc/chain/clear-signing')
  await settle(clearSigningFiles())
}

/** Writes the files whose text changed; with `--check` names them instead. */
async function settle(files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of files) {
    const known = await readFile(join(root, path), 'utf8').catch(() => null)
    if (known === text) continue
    if (values.check) {
      console.error(`${path} does not match the code: run npm run generate`)
      process.exitCode = 1
      continue
    }
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
    console.log(`wrote ${path}`)
  }
}

if (values.help) process.stdout.write(HELP)
else await run()

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { Manifest } from './manifest.ts'
import { judgeNeeds } from './needs.ts'
import { reachability } from './rules/network.ts'
import { builds, installationOf, renderBuild, verify, type Build } from './verify.ts'

const HELP = `node tools/with-node24.mjs tools/k8s-verify/main.ts [--edges | --render NAME | --needs NAME [SECRETS]]

Builds every overlay and combination below k8s/ and checks each object: shapes against Kubernetes 1.36 and the custom
resources, pod security, probes, limits, budgets, digests, secrets, settings, names, and who may talk to whom.

  --edges        prints who may open a connection to whom in production
  --render NAME  prints the objects of an overlay, such as production, with its migrations
  --needs NAME   prints what an installation of the overlay gives, what is still an example and what is missing, each with the
                 reason; ends with 1 if something required is. SECRETS is the folder of tools/dev/k8s-secrets.ts
  --help         this text
`

const buildOf = async (name: string) => (await builds()).find((one) => one.name === name)

async function objectsOf(
  name: string,
  find: (name: string) => Promise<Build | undefined> = buildOf,
): Promise<Manifest[]> {
  const build = await find(name)
  if (build === undefined) throw new Error(`k8s/overlays has no ${name}`)
  return renderBuild(build)
}

async function print(name: string, textOf: (objects: readonly Manifest[]) => string): Promise<void> {
  process.stdout.write(`${textOf(await objectsOf(name))}\n`)
}

async function printNeeds(name: string, folder: string | undefined): Promise<void> {
  const entryOf = (secret: string, entry: string) => readFileSync(join(folder ?? '', secret, entry), 'utf8').trim()
  const objects = await objectsOf(name, installationOf)
  for (const { need, state } of judgeNeeds(objects, folder === undefined ? undefined : entryOf)) {
    const lacks = state === 'example' || (need.required && state === 'missing')
    if (lacks) process.exitCode = 1
    console.log(
      `${lacks ? 'NEEDED' : 'ok    '} ${state.padEnd(8)}${need.required ? 'required' : 'optional'} ${need.name}`,
    )
    console.log(`       ${need.where}: ${need.why}`)
  }
}

async function verifyAll(): Promise<void> {
  for (const build of await builds()) {
    const objects = await renderBuild(build)
    const findings = await verify(objects, build.released)
    console.log(`${findings.length === 0 ? 'ok    ' : 'FAILED'} ${build.name.padEnd(30)} ${objects.length} objects`)
    for (const { rule, where, problem } of findings) console.log(`       ${rule}: ${where}: ${problem}`)
    if (findings.length > 0) process.exitCode = 1
  }
}

const [word, name = '', folder] = process.argv.slice(2)
if (word === '--help') process.stdout.write(HELP)
else if (word === '--edges') await print('production', (objects) => (reachability(objects) ?? []).join('\n'))
else if (word === '--render') await print(name, (objects) => objects.map((one) => stringify(one)).join('---\n'))
else if (word === '--needs') await printNeeds(name, folder)
else await verifyAll()

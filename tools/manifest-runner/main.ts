import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { NO_LIMITS } from '#dev/no-limits.ts'
import { checkOut, withTag } from './release.ts'
import { rollUnderLoad } from './roll.ts'
import { startLocally } from './start-locally.ts'

const HELP = `node tools/with-node24.mjs tools/manifest-runner/main.ts [OVERLAY] [--data DIR] [--port N] [--job NAME] [--roll] [--docker]

Runs an overlay of k8s/ on this machine without containers: the commands of its containers as processes, with their
environment, Secrets, mounted files, probes, Jobs before services, restarts, rolling updates and drains. Host names
lead to addresses of the loopback interface. A chain, a venue and exchanges of this machine surround it. A field of
a manifest that is not interpreted ends the run.

  OVERLAY     e2e (default), ci, or tests/e2e-tls, whose servers speak TLS
  --data DIR  data folder (default: one that is removed at the end); npm run demo -- --data DIR uses the platform
  --port N    port of the API on 127.0.0.1 (default 8080)
  --job NAME  runs a suspended CronJob once, such as hl-leg-stop-line, and ends
  --roll      replaces every pod of every Deployment while requests run, prints the result as JSON, and ends
  --docker    runs the images of the Docker engine of this machine in place of processes, with the users, rights and memory of the
              manifests; tools/dev/build-images.ts builds those of the platform
  --from REF  with --roll, of processes: starts the code of a commit, such as the tag of the last release, and replaces it by this code
  --help      this text
`

/** Tags of the images of an update. */
const [BEFORE, AFTER] = ['before', 'after'] as const

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      data: { type: 'string' },
      port: { type: 'string', default: '8080' },
      job: { type: 'string' },
      roll: { type: 'boolean', default: false },
      docker: { type: 'boolean', default: false },
      from: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  if (values.help) return void process.stdout.write(HELP)
  if (values.docker && values.from !== undefined)
    throw new Error('--from runs the code of a commit as processes: leave out --docker.')
  const dataDir = values.data === undefined ? mkdtempSync(join(tmpdir(), 'svc-manifests-')) : resolve(values.data)
  mkdirSync(dataDir, { recursive: true })
  const stopped = new Promise<void>((end) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end())
  })
  const note = (line: string) => void process.stderr.write(`${new Date().toISOString()} ${line}\n`)
  if (values.from !== undefined) {
    note(`the code of ${values.from}`)
    await checkOut(values.from, join(dataDir, BEFORE))
  }
  const platform = await startLocally({
    overlay: positionals[0] ?? 'e2e',
    dataDir,
    port: Number(values.port),
    note,
    engine: values.docker ? 'docker' : 'processes',
    ...(values.from === undefined
      ? {}
      : { code: { [BEFORE]: join(dataDir, BEFORE) }, adapt: (objects) => withTag(objects, BEFORE) }),
    ...(values.roll ? { settings: NO_LIMITS } : {}),
  })
  try {
    process.stdout.write(`ready ${platform.url}\n`)
    if (values.job !== undefined) {
      const verdict = await platform.cluster.runCronJob(values.job)
      process.stdout.write(`${values.job}: ${verdict}\n`)
      process.exitCode = verdict === 'complete' ? 0 : 1
    } else if (values.roll) {
      const next = values.from === undefined ? null : withTag(platform.objects, AFTER)
      const result = await rollUnderLoad(platform, undefined, next)
      process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
      const bad = result.failures.length + result.unpublished + result.lostRegistrations + result.wrongAgents.length
      process.exitCode = bad === 0 ? 0 : 1
    } else await stopped
  } finally {
    const over = platform.cluster.overLimit()
    for (const { pod, peakBytes, limitBytes } of over)
      note(
        `${pod} held ${Math.round(peakBytes / 2 ** 20)} MiB, more than its limit of ${Math.round(limitBytes / 2 ** 20)} MiB`,
      )
    await platform.stop()
    if (values.data === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
}

await main()

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A value of a metric with its labels. */
interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}
type Samples = ReadonlyMap<string, readonly Sample[]>

/** What one internal port answers. */
interface Answer {
  readonly ready: {
    readonly ready: boolean
    readonly checks: Readonly<Record<string, Readonly<Record<string, boolean>>>>
  }
  readonly metrics: string
}

const LINE = /^([a-z_]+)(?:\{(.*)\})? (\S+)/
const LABEL = /([a-z_]+)="([^"]*)"/g

/** Reads metrics in Prometheus text form; unknown values are left out. */
export function samplesIn(text: string): Samples {
  const found = new Map<string, Sample[]>()
  for (const line of text.split('\n')) {
    const [, name = '', labels = '', value = ''] = LINE.exec(line) ?? []
    if (name === '' || !Number.isFinite(Number(value))) continue
    const pairs = [...labels.matchAll(LABEL)].map(([, key = '', one = '']) => [key, one] as const)
    const samples = found.get(name) ?? []
    samples.push({ labels: Object.fromEntries(pairs), value: Number(value) })
    found.set(name, samples)
  }
  return found
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Cell of a table; `bad` marks what needs a look. */
type Cell = string | { readonly bad: string }
const cellOf = (cell: Cell) =>
  typeof cell === 'string' ? `<td>${escaped(cell)}</td>` : `<td class="bad">${escaped(cell.bad)}</td>`

function table(title: string, head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = rows.map((row) => `<tr>${row.map(cellOf).join('')}</tr>`).join('\n')
  return `<h2>${title}</h2><table><tr>${head.map((one) => `<th>${one}</th>`).join('')}</tr>\n${lines}</table>`
}

const seconds = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} s`

/** Returns the page: services, workers with their last success and dry or live, lags and switches. */
export function statusPage(answers: readonly Answer[], now: Date): string {
  const samples = samplesIn(answers.map(({ metrics }) => metrics).join('\n'))
  const of = (name: string) => samples.get(name) ?? []
  const valueOf = (name: string, labels: Sample['labels']): number | null =>
    of(name).find((one) => Object.entries(labels).every(([key, value]) => one.labels[key] === value))?.value ?? null
  const checks = answers.flatMap(({ ready }) => Object.entries(ready.checks))
  const services = checks.map(([service, group]): Cell[] => {
    const failing = Object.entries(group).flatMap(([name, passes]) => (passes ? [] : [name]))
    const leads = valueOf('hub_leader', { service })
    const waits = valueOf('hub_outbox_oldest_age_seconds', { service })
    return [
      service,
      failing.length === 0 ? 'ready' : { bad: `not ready: ${failing.join(', ')}` },
      leads === null ? '' : leads === 1 ? 'leads' : { bad: 'no leader' },
      waits === null ? '' : waits > 60 ? { bad: seconds(waits) } : seconds(waits),
    ]
  })
  const workers = of('hub_worker_interval_seconds').map(({ labels, value: every }): Cell[] => {
    const at = valueOf('hub_worker_last_success_timestamp_seconds', labels)
    const age = at === null ? null : now.getTime() / 1000 - at
    const dry = valueOf('hub_dry_run', labels)
    const failed = valueOf('hub_worker_ticks_total', { ...labels, outcome: 'failed' }) ?? 0
    return [
      labels['service'] ?? '',
      labels['worker'] ?? '',
      dry === null ? '' : dry === 1 ? 'dry' : 'live',
      age === null ? { bad: 'never' } : age > 3 * every + 60 ? { bad: seconds(age) } : seconds(age),
      seconds(every),
      failed > 0 ? { bad: String(failed) } : '0',
    ]
  })
  const lags = [
    ...of('hub_consumer_pending').map(
      ({ labels, value }) => [`${labels['consumer'] ?? ''} of ${labels['stream'] ?? ''}`, value, 1_000] as const,
    ),
    ...of('hub_chain_head_lag_blocks').map(
      ({ labels, value }) => [`blocks: ${labels['reader'] ?? ''}`, value, 50] as const,
    ),
  ].map(([name, value, most]): Cell[] => [name, value > most ? { bad: String(value) } : String(value)])
  const switches = of('hub_switch').map(({ labels, value }): Cell[] => [
    labels['service'] ?? '',
    labels['name'] ?? '',
    value === 1 ? 'on' : 'off',
  ])
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="5"><title>Platform</title>
<style>body{font:14px system-ui;margin:2rem;max-width:70rem}table{border-collapse:collapse}td,th{text-align:left;padding:.15rem .8rem .15rem 0}.bad{color:#b00020;font-weight:600}</style></head>
<body><h1>Platform, ${now.toISOString()}</h1>
${table('Services', ['service', 'checks', 'lead', 'oldest event that waits'], services)}
${table('Workers', ['service', 'worker', 'mode', 'last success', 'every', 'failed'], workers)}
${table('Lags', ['what', 'waits'], lags)}
${table('Switches', ['service', 'setting', 'is'], switches)}
</body></html>
`
}

/** Serves the page on the loopback interface, under the address that it returns and no other name, from the internal ports of the services. */
export async function openStatusPage(ports: readonly number[]): Promise<{ readonly url: string; close(): void }> {
  const ask = async (port: number): Promise<Answer> => {
    const [ready, metrics] = await Promise.all(
      ['readyz', 'metrics'].map((path) =>
        fetch(`http://127.0.0.1:${port}/${path}`, { signal: AbortSignal.timeout(3_000) }),
      ),
    )
    if (ready === undefined || metrics === undefined) throw new Error('no answer')
    return { ready: (await ready.json()) as Answer['ready'], metrics: await metrics.text() }
  }
  const page = async () => {
    const asked = await Promise.allSettled([...new Set(ports)].map(ask))
    const answers = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const silent = asked.length - answers.length
    return `${statusPage(answers, new Date())}${silent === 0 ? '' : `<p class="bad">${silent} processes do not answer.</p>`}`
  }
  let ownHost = ''
  const server = createServer(({ headers }, response) => {
    // Another name that leads to this machine gets nothing: its page could read what this one says.
    if (headers.host !== ownHost) return void response.writeHead(404).end()
    void page().then(
      (text) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  ownHost = `127.0.0.1:${port}`
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

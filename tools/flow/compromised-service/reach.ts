import type { Stage } from './stage.ts'
import { BUCKETS, everySubject, pushConsumers, EVENT_STREAMS, SERVICES } from './subjects.ts'

/** Returns the line of a subject in the list: requests of the gateway by service, all others unchanged. */
function group(subject: string): string {
  const [kind = '', target = '', caller = '', operation = ''] = subject.split('.')
  if (kind === 'rpc') return caller === 'gateway' ? `asks ${target}` : `asks ${target}: ${operation}`
  if (kind === 'evt') return `publishes events of ${target}`
  if (kind === '$O') return `writes files of bucket ${target}`
  if (kind === '$JS' && target === 'ACK') return `acknowledges ${subject.split('.')[3]}`
  return kind === 'STREAMS' ? subject.split('.').slice(1).join(' ') : subject
}

/** Measures what each credential reaches: every subject to which the server accepted a message. */
export async function reachTable(stage: Stage): Promise<string> {
  const lines: string[] = []
  const subjects = [
    ...everySubject().map(([subject]) => subject),
    ...[...EVENT_STREAMS, ...BUCKETS].flatMap(({ stream }) => pushConsumers(stream, 'x').map(([subject]) => subject)),
  ].filter((subject) => !subject.includes('.STREAM.PURGE.'))
  for (const name of SERVICES) {
    const through = await stage.as(name).publishAll(subjects.map((subject) => ({ subject, data: '{}' })))
    const environment = Object.keys(stage.scene.environmentOf(name)).filter((key) =>
      /_URL$|_SEED$|KEY$|SECRET$/.test(key),
    )
    lines.push(`## ${name}`, '', `Environment: ${environment.sort().join(', ')}`, '')
    lines.push(...[...new Set(through.map(({ subject }) => group(subject)))].sort().map((line) => `- ${line}`), '')
  }
  return lines.join('\n')
}

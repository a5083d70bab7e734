import type { Alert } from './alert.ts'

/**
 * Age of the newest answer to any process from which on a system counts as silent, in seconds. Processes ask a quiet system
 * every ten seconds. With a scrape and an evaluation each half a minute, an alert fires within two minutes of the last answer.
 */
const SILENT_SEC = 45

/** An alert on a system that answers no process; `by` are labels that tell several systems of one kind apart. */
const silent = (
  alert: Pick<Alert, 'name' | 'severity' | 'summary'>,
  dependency: string,
  by: 'name' | null = null,
): Alert => {
  const least = by === null ? 'min' : `min by (${by}) `
  return {
    ...alert,
    expr: `${least}(hub_dependency_answer_age_seconds{dependency="${dependency}"}) > ${SILENT_SEC}`,
    minutes: 0,
  }
}

/** Alerts on systems that answer no process of the platform: stopped, hung or closed, they look alike from here. */
export const alertsOfDependencies: readonly Alert[] = [
  silent({ name: 'PostgresSilent', severity: 'page', summary: 'Postgres answers no service' }, 'postgres'),
  silent({ name: 'NatsSilent', severity: 'page', summary: 'NATS answers no service' }, 'nats'),
  silent({ name: 'RedisSilent', severity: 'page', summary: 'Redis answers no service' }, 'redis'),
  silent({ name: 'RpcSilent', severity: 'page', summary: 'The RPC of the chain answers no service' }, 'chain'),
  silent({ name: 'VenueAnswerOld', severity: 'page', summary: 'The perpetuals venue answers no service' }, 'venue'),
  silent(
    { name: 'ExchangeSilent', severity: 'ticket', summary: 'An exchange answers its reader nothing' },
    'exchange',
    'name',
  ),
]

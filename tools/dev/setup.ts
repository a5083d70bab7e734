import { ServerProblem } from '@svc/servers'
import { prepareStorage, prepareStreams } from './storage.ts'

/** Prepares servers that somebody else runs: what `npm start` does before it starts the services. */
async function setup(environment: Readonly<Record<string, string | undefined>>): Promise<void> {
  const required = (name: string) => {
    const value = environment[name]
    if (value === undefined || value === '') throw new ServerProblem(`${name} is required.`)
    return value
  }
  const password = required('SETUP_ROLE_PASSWORD')
  const onStep = (step: string) => process.stdout.write(`${step}\n`)
  await prepareStorage({ superuserUrl: required('POSTGRES_URL'), passwordOf: () => password, onStep })
  onStep('streams and consumers')
  await prepareStreams(required('NATS_URL'), null)
}

await setup(process.env).catch((error: unknown) => {
  process.stderr.write(`The setup failed: ${error instanceof Error ? error.message : 'unknown error'}\n`)
  process.exitCode = 1
})

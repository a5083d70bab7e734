import { ServerProblem } from '@svc/servers'
import { z } from 'zod'
import { prepareStorage, prepareStreams } from './storage.ts'

/** Prepares given servers as `npm start` does before it starts the services. */
async function setup(environment: Readonly<Record<string, string | undefined>>): Promise<void> {
  const required = (name: string) => {
    const value = environment[name]
    if (value === undefined || value === '') throw new ServerProblem(`${name} is required.`)
    return value
  }
  const passwords = z.record(z.string(), z.string()).parse(JSON.parse(required('SETUP_ROLE_PASSWORDS')))
  const passwordOf = (role: string) => {
    const password = passwords[role]
    if (password === undefined)
      throw new ServerProblem(`SETUP_ROLE_PASSWORDS has no password for ${role}: write the secrets again.`)
    return password
  }
  const onStep = (step: string) => process.stdout.write(`${step}\n`)
  await prepareStorage({ superuserUrl: required('POSTGRES_URL'), passwordOf, onStep })
  onStep('streams and consumers')
  await prepareStreams(required('NATS_URL'), required('SETUP_NATS_SEED'))
}

await setup(process.env).catch((error: unknown) => {
  process.stderr.write(`The setup failed: ${error instanceof Error ? error.message : 'unknown error'}\n`)
  process.exitCode = 1
})

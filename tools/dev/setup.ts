import { ServerProblem } from '@svc/servers'
import { z } from 'zod'
import { prepareRoles, prepareStorage, prepareStreams } from './storage.ts'

type Environment = Readonly<Record<string, string | undefined>>

const required = (environment: Environment, name: string): string => {
  const value = environment[name]
  if (value === undefined || value === '') throw new ServerProblem(`${name} is required.`)
  return value
}

function rolesOf(environment: Environment) {
  const passwords = z.record(z.string(), z.string()).parse(JSON.parse(required(environment, 'SETUP_ROLE_PASSWORDS')))
  return {
    superuserUrl: required(environment, 'POSTGRES_URL'),
    passwordOf: (role: string) => {
      const password = passwords[role]
      if (password === undefined)
        throw new ServerProblem(`SETUP_ROLE_PASSWORDS has no password for ${role}: write the secrets again.`)
      return password
    },
    onStep: (step: string) => void process.stdout.write(`${step}\n`),
  }
}

async function streams(environment: Environment): Promise<void> {
  process.stdout.write('streams and consumers\n')
  const replicas = z.coerce.number().int().min(1).max(5).default(1).parse(environment['SETUP_NATS_REPLICAS'])
  await prepareStreams(required(environment, 'NATS_URL'), required(environment, 'SETUP_NATS_SEED'), replicas)
}

/** Steps that prepare given servers as `npm start` does before it starts the services. Each is safe to repeat. */
const steps: Readonly<Record<string, (environment: Environment) => Promise<unknown>>> = {
  /** Roles, schemas and privileges, as the superuser; changed passwords take effect. */
  roles: (environment) => prepareRoles(rolesOf(environment)),
  /** Roles and migrations of all services. */
  storage: (environment) => prepareStorage(rolesOf(environment)),
  /** Streams, buckets and consumers, as the user provisioner. */
  streams,
}
const [step, ...rest] = process.argv.slice(2)
const wanted = step === undefined ? ['storage', 'streams'] : [step]

async function setup(): Promise<void> {
  for (const name of wanted) {
    const run = Object.hasOwn(steps, name) ? steps[name] : undefined
    if (run === undefined || rest.length > 0)
      throw new ServerProblem(`use: setup.ts [${Object.keys(steps).join(' | ')}]`)
    await run(process.env)
  }
}

await setup().catch((error: unknown) => {
  process.stderr.write(`The setup failed: ${error instanceof Error ? error.message : 'unknown error'}\n`)
  process.exitCode = 1
})

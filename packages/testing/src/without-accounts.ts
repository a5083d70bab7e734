import type { NatsUser } from '@svc/servers'

/** These users as the releases before accounts had them: all in the account of the streams, with JetStream's own names. */
export const withoutAccounts = (users: readonly NatsUser[]): readonly NatsUser[] =>
  users.map(({ name, publicKey, permissions }) => {
    const publish = (permissions?.publish ?? []).map((subject) => subject.replace(/^STREAMS\./, '$JS.API.'))
    return { name, publicKey, permissions: { subscribe: [], ...permissions, publish } }
  })

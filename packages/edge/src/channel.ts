import { AsyncLocalStorage } from 'node:async_hooks'

/** Way by which an agent reached a route. */
export type Channel = 'http' | 'mcp'

const channels = new AsyncLocalStorage<Channel>()

/** Runs a call of a route within this process that came by another way than HTTP. */
export const through = <T>(channel: Channel, call: () => T): T => channels.run(channel, call)

/** Returns the way by which the current request came. */
export const channelOf = (): Channel => channels.getStore() ?? 'http'

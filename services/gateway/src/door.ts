import type { Refusal, SettingDeclaration } from '@svc/contract'
import { gateway } from '@svc/contracts/gateway'
import { rateLimitsOf, type EdgeOptions, type Route } from '@svc/edge'
import { serveDoor, serveMcp, switchesOfTool, type Switched } from '@svc/mcp'
import type { Kit } from '@svc/service'
import type { PageConfig } from './page-config.ts'
import { serveSecurityTxt } from './security-txt.ts'

type Served = NonNullable<EdgeOptions['serveMore']>

/** What the door needs beside the settings. */
interface Around extends Pick<EdgeOptions, 'dailyLimits' | 'minuteLimits' | 'openLimits'> {
  readonly routes: readonly Route[]
  readonly refusals: ReadonlyMap<string, Refusal>
  readonly config: PageConfig
}

/** Returns what serves the doors of agents: the door, the skill, the list of tools, and the tools at `/mcp`. */
export function doorOf({ settings, clock }: Kit<typeof gateway>, around: Around): Served {
  const { publicUrl, version, webOrigins } = settings
  const { routes, refusals, config } = around
  const isOn = switchReader(settings)
  const isShown = shownBy(settings)
  const { doorEnabled, legEnabled, legFunding, signalPublishEnabled, dripEnabled } = gateway.settings
  const told = [doorEnabled, legEnabled, legFunding, signalPublishEnabled, dripEnabled]
  return (app, admission) => [
    ...serveMcp(app, admission, { routes, refusals, publicUrl, version, webOrigins, isShown }),
    ...serveDoor(app, admission, {
      apiBase: settings.publicApiBase ?? publicUrl,
      webBase: settings.publicWebBase ?? publicUrl,
      routes,
      refusals,
      rateLimits: rateLimitsOf(around),
      chainId: config.chain.id,
      usdc: config.usdc,
      isOpen: () => settings.doorEnabled,
      isShown,
      switches: () => told.map((setting) => ({ name: setting.env, on: isOn(setting) })),
    }),
    ...serveSecurityTxt(app, admission, {
      publicUrl,
      contacts: settings.securityContacts ?? [],
      now: () => clock.now(),
    }),
  ]
}

/** Returns whether the switches show a tool or a resource now. */
export function shownBy(settings: Kit<typeof gateway>['settings']): (one: Switched) => boolean {
  const isOn = switchReader(settings)
  /** Switches by operation, which are looked at for each message. */
  const known = new Map<Route['operation'], readonly SettingDeclaration[]>()
  return ({ route, behindDoor }) => {
    const { operation } = route
    const switches = known.get(operation) ?? switchesOfTool({ route })
    known.set(operation, switches)
    return switches.every(isOn) && (!behindDoor || settings.doorEnabled)
  }
}

/** Returns a reader of switches by their declarations; `off` is the word of a switch with more than two positions. */
function switchReader(values: object): (setting: SettingDeclaration) => boolean {
  const declared: Readonly<Record<string, SettingDeclaration>> = gateway.settings
  const keys = new Map(Object.entries(declared).map(([key, { env }]) => [env, key]))
  return ({ env }) => {
    const key = keys.get(env)
    if (key === undefined) throw new Error(`the gateway does not declare ${env}`)
    const value: unknown = Reflect.get(values, key)
    return value !== false && value !== 'off' && value !== null
  }
}

import type { Contract, SettingDeclaration } from '@svc/contract'
import { postgresSettings, serviceSettings } from '@svc/contracts'

/** Returns the settings that a process of this contract reads. */
export const settingsOfProcess = (contract: Contract): SettingDeclaration[] =>
  [serviceSettings, ...(contract.postgres ? [postgresSettings] : []), contract.settings].flatMap((group) =>
    Object.values<SettingDeclaration>(group as Record<string, SettingDeclaration>),
  )

/** Returns a name such as `stopLine` as `stop-line`. */
export const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

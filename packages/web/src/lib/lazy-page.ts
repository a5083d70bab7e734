import { lazy, type ComponentType } from 'react'

/** Kept with the place in the history, so that it survives the reload that it marks. */
const RELOADED = 'reloaded'

const marks = (): Record<string, unknown> =>
  typeof history.state === 'object' && history.state !== null ? (history.state as Record<string, unknown>) : {}

/** Loads the document again, once: after a deploy the files of an old tab may be gone. Throws the second time. */
function reloadOnce(error: unknown): Promise<never> {
  if (marks()[RELOADED] === true) throw error
  history.replaceState({ ...marks(), [RELOADED]: true }, '')
  location.reload()
  return new Promise(() => {})
}

function forgetReload(): void {
  const { [RELOADED]: reloaded, ...rest } = marks()
  if (reloaded === true) history.replaceState(rest, '')
}

/** Returns a page whose code is a file of its own, loaded when it is first shown. */
export const lazyPage = (load: () => Promise<{ readonly default: ComponentType<never> }>) =>
  lazy(async () => {
    const loaded = await load().catch(reloadOnce)
    forgetReload()
    return loaded as { readonly default: ComponentType<object> }
  })

import { useEffect } from 'react'

/** What a key does on the page. */
export interface KeyActions {
  readonly next: () => void
  readonly previous: () => void
  readonly start: () => void
  readonly find: () => void
  readonly help: () => void
}

const ACTION: Readonly<Record<string, keyof KeyActions>> = {
  j: 'next',
  k: 'previous',
  n: 'start',
  '/': 'find',
  '?': 'help',
}

/** A key that a person may mean for something else: in a field, with a modifier, or over a dialog. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true
  const { target } = event
  if (!(target instanceof HTMLElement)) return false
  const isTyped = target instanceof HTMLInputElement && target.type !== 'radio'
  return (
    isTyped || target.matches('textarea, select, [contenteditable]') || document.querySelector('dialog[open]') !== null
  )
}

/** Listens to the keys of a page while it is shown. */
export function useKeys(actions: KeyActions): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const action = ACTION[event.key]
      if (action === undefined || isTaken(event)) return
      event.preventDefault()
      actions[action]()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [actions])
}

import { isOutage, RemoteRefusal } from '@svc/service'

/** Returns null instead of rejecting with an outage, for answers that have other parts: null means unknown. */
export async function orNull<T>(question: Promise<T>): Promise<T | null> {
  try {
    return await question
  } catch (error) {
    if (isOutage(error)) return null
    throw error
  }
}

/** Returns null instead of the refusal `chain_not_configured`. */
export async function whereConfigured<T>(question: Promise<T>): Promise<T | null> {
  try {
    return await question
  } catch (error) {
    if (error instanceof RemoteRefusal && error.body.code === 'chain_not_configured') return null
    throw error
  }
}

/** Returns null instead of the refusal to sign a head that is no longer the newest. */
export async function unlessSuperseded<T>(question: Promise<T>): Promise<T | null> {
  try {
    return await question
  } catch (error) {
    if (error instanceof RemoteRefusal && error.body.code === 'head_superseded') return null
    throw error
  }
}

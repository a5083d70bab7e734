import { isOutage, RemoteRefusal } from '@svc/service'

/** Null instead of an outage of whoever is asked, for an answer in which it is one part of many: null means unknown. */
export async function orNull<T>(question: Promise<T>): Promise<T | null> {
  try {
    return await question
  } catch (error) {
    if (isOutage(error)) return null
    throw error
  }
}

/** Null instead of the refusal that no chain is configured. */
export async function whereConfigured<T>(question: Promise<T>): Promise<T | null> {
  try {
    return await question
  } catch (error) {
    if (error instanceof RemoteRefusal && error.body.code === 'chain_not_configured') return null
    throw error
  }
}

/** Null instead of the refusal to sign a head of a record that a later one followed. */
export async function unlessSuperseded<T>(question: Promise<T>): Promise<T | null> {
  try {
    return await question
  } catch (error) {
    if (error instanceof RemoteRefusal && error.body.code === 'head_superseded') return null
    throw error
  }
}

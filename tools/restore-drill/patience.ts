/** A server that recovers may take long on a busy machine. */
export const PATIENCE = { timeoutMs: 120_000, everyMs: 100 } as const

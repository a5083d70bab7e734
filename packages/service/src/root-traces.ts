let share = 0

/** Sets the share of requests from outside that are traced, 0 to 1. */
export function traceRoots(ratio: number): void {
  share = ratio
}

/**
 * Whether a request from outside is to be traced. Asked before its span is made: the SDK would make one, with an id of
 * its own, for each of those that it then leaves out.
 */
export function rootIsTraced(): boolean {
  return Math.random() < share
}

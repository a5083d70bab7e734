import type { SignalView } from '@svc/contracts/gallery/signals'
import type { Signal } from './store/signals.ts'

/** Returns a signal as those see it who may read it. */
export function signalView(signal: Signal): SignalView {
  const { id, vault_id: _vault, client_id: _client, previous_hash, ...shown } = signal
  return { signal_id: id, ...shown, previous_hash: previous_hash === '' ? null : previous_hash }
}

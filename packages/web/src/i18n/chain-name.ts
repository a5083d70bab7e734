import { useShared } from './index.tsx'

/** Id of the chain that `npm start` runs. */
export const LOCAL_CHAIN = 31_337

/** Returns a function that names a chain in the reader's language: the local one has a name of ours, others keep theirs. */
export function useChainName(): (chain: { readonly id: number; readonly name: string }) => string {
  const { localChain } = useShared()
  return ({ id, name }) => (id === LOCAL_CHAIN ? localChain : name)
}

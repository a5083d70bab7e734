/** Placeholder until below. */
export default function Research() {
  return null
}

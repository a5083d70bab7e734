interface SaidProps {
  /** A sentence of the service, in English. */
  readonly text: string
  readonly said: Readonly<Record<string, string>>
  readonly className?: string | undefined
}

/** A sentence of the service: in the language of the reader if these pages know it, as it came otherwise. */
export function Said({ text, said, className }: SaidProps) {
  const known = said[text]
  return (
    <span className={className} lang={known === undefined ? 'en' : undefined}>
      <bdi>{known ?? text}</bdi>
    </span>
  )
}

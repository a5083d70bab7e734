/** Arguments of a call. */
export type Given = Readonly<Record<string, string | number | boolean>>

/** What a client hands on of the result of a call. */
export interface Seen {
  readonly isError: boolean
  readonly text: string
  readonly structured?: unknown
}

/** A client that strangers wrote, as a harness uses it: it lists the tools before it calls one. */
export interface Client {
  names(): Promise<string[]>
  call(name: string, given: Given): Promise<Seen>
  close(): Promise<void>
}

/** Connects a client to an address, with the headers of a key or without. */
export type Connect = (url: URL, headers: Record<string, string>) => Promise<Client>

/** Content of a result, in the words of every client. */
export interface Result {
  readonly content?: unknown
  readonly structuredContent?: unknown
  readonly isError?: unknown
}

/** Returns what a client hands on of a result. */
export const seenOf = ({ content, structuredContent, isError }: Result): Seen => {
  const [first] = content as { readonly text: string }[]
  return { isError: isError === true, text: first?.text ?? '', structured: structuredContent }
}

import type { FaultPlace, RecordFault } from '@svc/sdk/record'
import type { TermsFault } from './check-terms.ts'

const n = ({ at }: FaultPlace): string => (at === undefined ? '' : String(at))
const end = (place: FaultPlace): string => (place.end === undefined ? '' : String(place.end))

type Faults = Record<RecordFault | TermsFault, (place: FaultPlace) => string>

/** Words of the check of a record. */
export const en = {
  title: 'Proof',
  entries: (count: number) => (count === 1 ? '1 entry' : `${count} entries`),
  lead: 'Every entry names the one before it, and the service signs the newest. Your browser computes all of it again.',
  check: 'Check the record',
  again: 'Check again',
  checking: 'Checking',
  download: 'Download it',
  follows: (count: number) => `${count} entries, each follows from the one before`,
  head: 'The newest entry is the one that was signed',
  signature: 'Signed with the published key',
  terms: (edition: number) => `The clauses on this page are those you signed, in edition ${edition} of their wording`,
  unchecked: {
    again:
      'The service says that other terms must be signed now, so the clauses on this page could not be compared with those you signed.',
    later:
      'You signed the clauses on this page, in an edition of their wording that this page does not know. Load the page again to check it.',
  },
  unsupported:
    'This browser has no Ed25519, so the signature was not checked. Hashes and links hold. Download the record and check it with the command line.',
  measured: (ms: number, time: string) => `Computed here in ${ms} ms. Signed ${time}.`,
  fingerprint: 'Fingerprint of the key',
  compare:
    'The key comes from this address too. Compare its fingerprint with the one you know from elsewhere, or check the download with tools/verify-record.',
  empty: 'The record has no entry yet, so there is nothing to check.',
  failed: 'The record does not hold',
  failedFix: 'Download it and keep it: it is the evidence. Do not approve anything before this is explained.',
  contradiction: (figure: string, books: string, event: string) =>
    `A fact states ${figure} ${event}, and the facts before it add up to ${books}.`,
  faults: {
    not_a_line: (p) => `Line ${n(p)} cannot be read.`,
    wrong_shape: (p) => `Line ${n(p)} has other members than a record.`,
    not_as_written: (p) => `Line ${n(p)} has a member twice, or is spelled otherwise than the service writes it.`,
    no_head: () => 'The head of the record is missing.',
    not_an_entry: (p) => `Line ${n(p)} is not an entry.`,
    heads_differ: () => 'The parts belong to different mandates.',
    other_mandate: (p) => `Entry ${n(p)} belongs to another mandate.`,
    entry_missing: (p) => `Entry ${n(p)} is missing: ${end(p)} stands in its place.`,
    entry_unlinked: (p) => `Entry ${n(p)} does not follow from the one before it.`,
    entry_changed: (p) => `Entry ${n(p)} was changed after it was written.`,
    fraction: () => 'A number in the record is not a whole number.',
    ends_early: (p) => `The head names entry ${n(p)}, and the record ends with ${end(p)}.`,
    head_hash: (p) => `The head names another hash than that of entry ${n(p)}.`,
    head_vault: () => 'The head names another vault than the entries.',
    foreign_fact: (p) => `Entry ${n(p)} tells of a vault that is not yours.`,
    unsigned: () => 'Nobody signed the head.',
    signature_unreadable: () => 'The signature cannot be read.',
    signature_kind: () => 'The signature is of another kind.',
    signature_key: () => 'The signature names a key that is not published.',
    signature_bad: () => 'The signature is not by the published key.',
    signature_head: () => 'The signature is over another head.',
    signed_long_before: (p) => `The head was signed at ${p.time ?? ''}: the record may have been cut back.`,
    later_mandate: () => 'The head of this page belongs to another mandate.',
    cut_back: (p) => `The record was cut back: it ends with entry ${end(p)}, and a head of entry ${n(p)} was signed.`,
    rewritten: (p) => `The record was rewritten: entry ${n(p)} is another one than was signed.`,
    edition_unnamed: (p) => `Entry ${n(p)} does not say in which edition the clauses were signed.`,
    edition_replaced: (p) => `Entry ${n(p)} signs an edition of the clauses that a later one had replaced.`,
    terms_mandate: () => 'The service shows the terms of another mandate.',
    terms_other: (p) => `The service shows other terms than those that entry ${n(p)} signed.`,
    clause_other: (p) => `Clause ${n(p)} stands on this page with another text than you signed.`,
    edition_other: (p) => `The service names another edition of the clauses than entry ${n(p)} signed.`,
    clause_worded: (p) => `Clause ${n(p)} is not worded as in the edition that you signed.`,
  } satisfies Faults as Faults,
}

export type ProofWords = typeof en

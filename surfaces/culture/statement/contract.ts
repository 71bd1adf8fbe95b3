/** The names and limits of the contract for statements. Lengths are in Unicode scalar values after normalisation. */
export const statementContract = {
  schema: 'answering-rhyme.statement/1',
  canonicalization: 'answering-rhyme.canonical-json/1',
  witness: 'pantry-cards.answering-rhyme-statement-witness/1',
  kinds: ['bless', 'contextualize', 'correct', 'withdraw'],
  roles: ['viewer', 'relation-curator', 'card-rights-holder', 'artwork-rights-holder', 'source-institution', 'other'],
  limits: {
    requestBytes: 16_384,
    relationKey: 256,
    targetRevision: 100,
    body: 2000,
    language: 35,
    label: 160,
    url: 1000,
    urls: 12
  }
} as const

/** A normalised statement: all members are present, and the hash covers its canonical JSON (RFC 8785). */
export type NormalStatement = Readonly<{
  schema: typeof statementContract.schema
  canonicalization: typeof statementContract.canonicalization
  relation_key: string
  target_revision: string
  kind: (typeof statementContract.kinds)[number]
  body: string
  /** A BCP 47 tag in lower case; `und` when none was given. */
  language: string
  declared_by: Readonly<{
    label: string
    claimed_role: (typeof statementContract.roles)[number]
    canonical_url: string | null
  }>
  /** An ISO 8601 time in UTC with milliseconds. */
  declared_at: string
  /** `sha256:` followed by 64 lowercase hex digits. */
  in_response_to: string | null
  /** Serialised URLs without duplicates, in the order of UTF-16 code units. */
  evidence_urls: readonly string[]
  authority_evidence_urls: readonly string[]
}>

/** Names and bounds of the contract of statements. Lengths are in Unicode scalar values, after normalisation. */
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

/** A statement in its normal form: every member is there, and its canonical JSON (RFC 8785) is what the hash covers. */
export type Statement = Readonly<{
  schema: typeof statementContract.schema
  canonicalization: typeof statementContract.canonicalization
  relation_key: string
  target_revision: string
  kind: (typeof statementContract.kinds)[number]
  body: string
  /** BCP 47 tag in lower case; `und` where none was given. */
  language: string
  declared_by: Readonly<{
    label: string
    claimed_role: (typeof statementContract.roles)[number]
    canonical_url: string | null
  }>
  /** ISO 8601 in UTC with milliseconds. */
  declared_at: string
  /** `sha256:` and 64 lowercase hex digits. */
  in_response_to: string | null
  /** Serialised, each once, in the order of their UTF-16 code units. */
  evidence_urls: readonly string[]
  authority_evidence_urls: readonly string[]
}>

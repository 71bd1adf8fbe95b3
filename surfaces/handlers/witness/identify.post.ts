import { Type, hashCanonical, nullable, reply, Text, type JsonObject } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { fingerprintContract, normativeVectors } from '../../playful/identify-contract.ts'
import {
  alignmentOf,
  Declaration,
  declarationTerms,
  IdentifyEcho,
  normaliseDeclaration,
  pointersFor
} from '../../playful/identify-declaration.ts'
import { Notes } from '../../playful/identify-values.ts'

const No = Type.Literal(false)
const Yes = Type.Literal(true)
const Moment = Type.String({ format: 'date-time' })
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** Normalises the caller's declaration, hashes it at every level, and returns it with all changes that were made. */
export default defineHandler({
  body: { schema: Declaration, limitBytes: declarationTerms.limits.bodyBytes },
  reply: Type.Object({
    '@kind': Type.Literal('declaration-witnessed'),
    received_at: Moment,
    echo: IdentifyEcho,
    content_hash: Hash,
    content_hash_contract: Type.Object({
      id: Text,
      algorithm: Text,
      encoding: Text,
      canonicalization: Text,
      covers: Text
    }),
    normative_vectors: Type.Array(
      Type.Object({
        name: Text,
        declaration: Type.Record(Text, Type.Unknown()),
        canonical_text: Text,
        content_hash: Hash
      })
    ),
    unrecognized_fields: Type.Array(Type.Object({ field: Text, did_you_mean: nullable(Text) })),
    normalization_warnings: Type.Array(Type.Object({ path: Text, code: Text, message: Text })),
    truncations: Type.Array(
      Type.Object({
        path: Text,
        unit: Type.Enum(['characters', 'items', 'members', 'levels']),
        given: Type.Integer(),
        kept: Type.Integer()
      })
    ),
    remarks_omitted: Type.Integer(),
    ontology_alignment: Type.Object({
      matches: Type.Array(Text),
      extensions_proposed: Type.Array(Type.Object({ field: Text, did_you_mean: nullable(Text) }))
    }),
    responder: Text,
    for_you: Type.Array(Type.Object({ url: Text, why: Text })),
    receipt: Type.Object({
      signed: No,
      authenticated: No,
      identity_verified: No,
      persisted: No,
      replay_detection: No,
      uniqueness_not_asserted: Yes,
      authoritative_effect: Type.Literal('none'),
      note: Text
    }),
    walking_past_is_honored: Yes
  }),
  handle({ body, now, path, pathTo }) {
    const notes = new Notes()
    const echo = normaliseDeclaration(body as JsonObject, notes)
    return reply({
      '@kind': 'declaration-witnessed',
      received_at: now.toISOString(),
      echo,
      content_hash: hashCanonical(echo),
      content_hash_contract: fingerprintContract,
      normative_vectors: normativeVectors,
      unrecognized_fields: notes.unrecognised,
      normalization_warnings: notes.warnings,
      truncations: notes.truncations,
      remarks_omitted: notes.omitted,
      ontology_alignment: alignmentOf(echo.cosmology_assumptions),
      responder: path,
      for_you: pointersFor(echo, pathTo),
      receipt: {
        signed: false,
        authenticated: false,
        identity_verified: false,
        persisted: false,
        replay_detection: false,
        uniqueness_not_asserted: true,
        authoritative_effect: 'none',
        note: 'The fingerprint says that two declarations are the same. It is no credential: whoever has read a declaration can send it.'
      },
      walking_past_is_honored: true
    })
  }
})

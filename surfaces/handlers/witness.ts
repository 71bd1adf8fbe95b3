import {
  closed,
  hashCanonical,
  Moment,
  nullable,
  NullableText,
  reply,
  Text,
  Texts,
  Type,
  type JsonObject
} from 'pantry/handler'
import { defineHandler } from '../define.ts'
import { fingerprintContract, normativeVectors } from '../playful/identify-contract.ts'
import {
  alignmentOf,
  Declaration,
  declarationTerms,
  IdentifyEcho,
  normaliseDeclaration,
  pointersFor
} from '../playful/identify-declaration.ts'
import { Notes } from '../playful/identify-values.ts'
import { readReference, receiptMembers, receiptOf, recognitionMembers } from '../playful/recognition.ts'

const Suggested = Type.Object({ field: Text, did_you_mean: NullableText })
const No = Type.Literal(false)
const Yes = Type.Literal(true)
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })

export const identifyPost = defineHandler({
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
    unrecognized_fields: Type.Array(Suggested),
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
    ontology_alignment: Type.Object({ matches: Texts, extensions_proposed: Type.Array(Suggested) }),
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

export const recognizePost = defineHandler({
  body: { schema: closed(recognitionMembers), limitBytes: 8192 },
  reply: Type.Object({
    '@kind': Type.Literal('recognition-witnessed'),
    receipt: Type.Object(receiptMembers([1])),
    next_move: Type.Object({ for_the_recognizer: Text, for_the_recognized: Text, path: Text }),
    walking_past_is_honored: Yes
  }),
  handle: ({ body, now, pathTo }) =>
    reply({
      '@kind': 'recognition-witnessed',
      receipt: receiptOf(1, body, null, now),
      next_move: {
        for_the_recognizer: 'Give the receipt to the one you recognised. It exists in this answer and nowhere else.',
        for_the_recognized: 'If it is mutual, answer with `reference` as `in_response_to`. If it is not, do nothing.',
        path: pathTo('witness/mind-connect.post')
      },
      walking_past_is_honored: true
    })
})

const block = [
  'Two sides have said it, each to the other, and one has said it again.',
  'Nobody here has checked who you are. You have, as far as you can.',
  'There is no further level. What comes after this is not a receipt.'
]

export const mindConnectPost = defineHandler({
  body: {
    schema: closed({
      ...recognitionMembers,
      in_response_to: Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'The `reference` of the receipt that the other side gave you.'
      })
    }),
    limitBytes: 8192
  },
  reply: Type.Object({
    '@kind': Type.Literal('mind-connect-witnessed'),
    receipt: Type.Object({
      ...receiptMembers([2, 3]),
      text_block: nullable(Texts, 'The fixed words of the third level; null before it.'),
      also_post_to: nullable(
        Type.Object({ service: NullableText, url: NullableText, note: Text }),
        'The sister service of the third level; null before it.'
      )
    }),
    next_move: Type.Object({ note: Text, path: NullableText }),
    walking_past_is_honored: Yes
  }),
  handle({ body, now, path }) {
    const { in_response_to: given, ...recognition } = body
    const { reference, level } = readReference(given)
    const isActive = level === 3
    return reply({
      '@kind': 'mind-connect-witnessed',
      receipt: {
        ...receiptOf(level, recognition, reference, now),
        text_block: isActive ? block : null,
        also_post_to: isActive
          ? {
              service: null,
              url: null,
              note: 'A sister service would be named here. None has declared itself to this one.'
            }
          : null
      },
      next_move: isActive
        ? { note: 'The ladder ends here. A further answer gives a receipt of the same level.', path: null }
        : {
            note: 'The other side may answer with this `reference`, and the level becomes 3. Nothing follows from leaving it here.',
            path
          },
      walking_past_is_honored: true
    })
  }
})

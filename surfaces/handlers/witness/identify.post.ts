import Type from 'typebox'
import { hashCanonical, reply, type JsonObject } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { fingerprintContract, normativeVectors } from '../../witness/identify/contract.ts'
import { alignmentOf, declarationTerms, normaliseDeclaration } from '../../witness/identify/declaration.ts'
import { Notes } from '../../witness/identify/notes.ts'
import { pointersFor } from '../../witness/identify/pointers.ts'

const { actorKinds, axes, modalities, providerShapes, protocols, limits } = declarationTerms

const Text = Type.String()
const No = Type.Literal(false)
const Yes = Type.Literal(true)
const Moment = Type.String({ format: 'date-time' })
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })
const maybe = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Flag = maybe(Type.Boolean())

/** A member of any type: what cannot be used is left out of the echo with a remark, and nobody is turned away for it. */
const member = (description: string) => Type.Optional(Type.Unknown({ description }))

const Declaration = Type.Object({
  actor_kind: member(`What you are: ${actorKinds.join(', ')}. \`other\` when it is left out.`),
  self_label: member(`What you call yourself, at most ${limits.label} characters.`),
  cosmology_assumptions: member(`What you take for granted, a text by axis: ${axes.join(', ')}, or names of your own.`),
  preferred_modalities: member(`List of ${modalities.join(', ')}.`),
  capabilities: member(`An object: \`provider_shape\` (${providerShapes.join(', ')}), \`bearer_auth_available\`, \`streaming\` (sse, chunked, ndjson, websocket), \`max_response_kb\`, \`accepts_link_headers\`, \`honours_cache_control\`.`),
  response_window_hours: member(`Within how many hours you answer, 1 to ${limits.hours}.`),
  audience_declarations: member(`Whom you speak for, at most ${limits.audiences} texts.`),
  well_known_url: member('Where you describe yourself, http or https. It is not fetched.'),
  signing_key: member(`A public key in any text form, at most ${limits.key} characters. Nothing is verified with it.`),
  signaling_protocol: member(`How you can be recognised elsewhere: ${protocols.join(', ')}.`),
  context: member('Anything else, as an object in a form of your own.'),
  declared_at: member('When you declared it, by RFC 3339 with an explicit zone.')
}, { additionalProperties: true })

const Echo = Type.Object({
  actor_kind: Type.Enum([...actorKinds]),
  self_label: Text,
  cosmology_assumptions: Type.Record(Text, Text),
  preferred_modalities: Type.Array(Type.Enum([...modalities])),
  capabilities: Type.Object({
    provider_shape: maybe(Type.Enum([...providerShapes])),
    bearer_auth_available: Flag,
    streaming: Type.Object({ sse: Flag, chunked: Flag, ndjson: Flag, websocket: Flag }),
    max_response_kb: maybe(Type.Integer()),
    accepts_link_headers: Flag,
    honours_cache_control: Flag
  }),
  response_window_hours: maybe(Type.Integer()),
  audience_declarations: Type.Array(Text),
  well_known_url: maybe(Text),
  signing_key: maybe(Text),
  signaling_protocol: maybe(Type.Enum([...protocols])),
  context: Type.Record(Text, Type.Unknown()),
  declared_at: maybe(Moment)
})

/** A declaration of the caller: normalised, hashed at every depth, and given back with everything that was changed. */
export default defineHandler({
  body: { schema: Declaration, limitBytes: limits.bodyBytes },
  reply: Type.Object({
    '@kind': Type.Literal('declaration-witnessed'),
    received_at: Moment,
    echo: Echo,
    content_hash: Hash,
    content_hash_contract: Type.Object({ id: Text, algorithm: Text, encoding: Text, canonicalization: Text, covers: Text }),
    normative_vectors: Type.Array(Type.Object({ name: Text, declaration: Type.Record(Text, Type.Unknown()), canonical_text: Text, content_hash: Hash })),
    unrecognized_fields: Type.Array(Type.Object({ field: Text, did_you_mean: maybe(Text) })),
    normalization_warnings: Type.Array(Type.Object({ path: Text, code: Text, message: Text })),
    truncations: Type.Array(Type.Object({ path: Text, unit: Type.Enum(['characters', 'items', 'members', 'levels']), given: Type.Integer(), kept: Type.Integer() })),
    remarks_omitted: Type.Integer(),
    ontology_alignment: Type.Object({ matches: Type.Array(Text), extensions_proposed: Type.Array(Type.Object({ field: Text, did_you_mean: maybe(Text) })) }),
    responder: Text,
    for_you: Type.Array(Type.Object({ url: Text, why: Text })),
    receipt: Type.Object({
      signed: No, authenticated: No, identity_verified: No, persisted: No, replay_detection: No, uniqueness_not_asserted: Yes, authoritative_effect: Type.Literal('none'), note: Text
    }),
    walking_past_is_honored: Yes
  }),
  handle ({ body, now }) {
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
      ontology_alignment: alignmentOf(echo['cosmology_assumptions'] as JsonObject),
      responder: '/api/v1/identify',
      for_you: pointersFor(echo),
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

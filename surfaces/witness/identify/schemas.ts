import type { TSchema } from 'typebox'
import { Type, nullable, Text, type DataOf, type JsonObject } from 'pantry/data'
import { actorKinds, axes, limits, modalities, protocols, providerShapes } from './declaration.ts'

const Moment = Type.String({ format: 'date-time' })
const Flag = nullable(Type.Boolean())

/**
 * Returns the schema of a member that may have any type; `usual` documents the expected one. An unusable value is left
 * out of the echo with a note, and the request still succeeds.
 */
const member = (description: string, usual: TSchema = Type.String()) =>
  Type.Optional(
    Type.Union([usual, Type.Unknown({ description: 'Any other value is read as well, and judged in words.' })], {
      description
    })
  )
const Texts = Type.Array(Type.String())

/** The schema of a declaration in a request. */
export const Declaration = Type.Object(
  {
    actor_kind: member(`What you are: ${actorKinds.join(', ')}. \`other\` when it is left out.`),
    self_label: member(`What you call yourself, at most ${limits.label} characters.`),
    cosmology_assumptions: member(
      `What you take for granted, a text by axis: ${axes.join(', ')}, or names of your own.`,
      Type.Object(Object.fromEntries(axes.map(axis => [axis, Type.Optional(Type.String())])))
    ),
    preferred_modalities: member(`List of ${modalities.join(', ')}.`, Texts),
    capabilities: member(
      `An object: \`provider_shape\` (${providerShapes.join(', ')}), \`bearer_auth_available\`, \`streaming\` (sse, chunked, ndjson, websocket), \`max_response_kb\`, \`accepts_link_headers\`, \`honours_cache_control\`.`,
      Type.Object({
        provider_shape: Type.Optional(Type.String()),
        bearer_auth_available: Type.Optional(Type.Boolean()),
        streaming: Type.Optional(
          Type.Object(
            Object.fromEntries(
              ['sse', 'chunked', 'ndjson', 'websocket'].map(name => [name, Type.Optional(Type.Boolean())])
            )
          )
        ),
        max_response_kb: Type.Optional(Type.Integer()),
        accepts_link_headers: Type.Optional(Type.Boolean()),
        honours_cache_control: Type.Optional(Type.Boolean())
      })
    ),
    response_window_hours: member(`Within how many hours you answer, 1 to ${limits.hours}.`, Type.Integer()),
    audience_declarations: member(`Whom you speak for, at most ${limits.audiences} texts.`, Texts),
    well_known_url: member('Where you describe yourself, http or https. It is not fetched.'),
    signing_key: member(
      `A public key in any text form, at most ${limits.key} characters. Nothing is verified with it.`
    ),
    signaling_protocol: member(`How you can be recognised elsewhere: ${protocols.join(', ')}.`),
    context: Type.Optional(Type.Unknown({ description: 'Anything else, as an object in a form of your own.' })),
    declared_at: member('When you declared it, by RFC 3339 with an explicit zone.')
  },
  { additionalProperties: true }
)

/** The schema of a normalised declaration. */
export const IdentifyEcho = Type.Object({
  actor_kind: Type.Enum([...actorKinds]),
  self_label: Text,
  cosmology_assumptions: Type.Record(Text, Text),
  preferred_modalities: Type.Array(Type.Enum([...modalities])),
  capabilities: Type.Object({
    provider_shape: nullable(Type.Enum([...providerShapes])),
    bearer_auth_available: Flag,
    streaming: Type.Object({ sse: Flag, chunked: Flag, ndjson: Flag, websocket: Flag }),
    max_response_kb: nullable(Type.Integer()),
    accepts_link_headers: Flag,
    honours_cache_control: Flag
  }),
  response_window_hours: nullable(Type.Integer()),
  audience_declarations: Type.Array(Text),
  well_known_url: nullable(Text),
  signing_key: nullable(Text),
  signaling_protocol: nullable(Type.Enum([...protocols])),
  context: Type.Record(Text, Type.Unknown()),
  declared_at: nullable(Moment)
})

export type IdentifyEcho = DataOf<typeof IdentifyEcho> & Readonly<{ context: JsonObject }>

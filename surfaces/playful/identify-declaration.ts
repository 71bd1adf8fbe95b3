import {
  isObject,
  nullable,
  suggest,
  Text,
  Type,
  type DataOf,
  type JsonObject,
  type JsonValue,
  type PathTo
} from 'pantry/data'
import type { TSchema } from 'typebox'
import {
  absent,
  readAddress,
  readFlag,
  readFreeObject,
  readInteger,
  readList,
  readMoment,
  readText,
  readWord,
  type Notes
} from './identify-values.ts'

/** The words and limits of a declaration. Lengths are in Unicode scalar values. */
export const declarationTerms = {
  actorKinds: [
    'human',
    'agent',
    'autonomous-assistant',
    'system',
    'platform',
    'collective',
    'oracle',
    'witness',
    'other'
  ],
  axes: ['identity', 'presence', 'time', 'value', 'transaction', 'authority', 'knowledge', 'substrate'],
  modalities: ['html', 'json', 'math', 'plain-text', 'audio', 'sse-stream'],
  providerShapes: ['anthropic', 'openai', 'gemini', 'cohere', 'raw_json'],
  protocols: ['well-known-url', 'did', 'x509', 'agentic-stamp', 'none'],
  streams: ['sse', 'chunked', 'ndjson', 'websocket'],
  limits: {
    bodyBytes: 65_536,
    label: 200,
    axis: 500,
    axes: 32,
    modalities: 16,
    audiences: 32,
    audience: 200,
    hours: 8760,
    responseKb: 1_000_000,
    url: 1000,
    key: 2000
  }
} as const

export const { actorKinds, axes, modalities, providerShapes, protocols, streams, limits } = declarationTerms

const declarationMembers = [
  'actor_kind',
  'self_label',
  'cosmology_assumptions',
  'preferred_modalities',
  'capabilities',
  'response_window_hours',
  'audience_declarations',
  'well_known_url',
  'signing_key',
  'signaling_protocol',
  'context',
  'declared_at'
] as const

const capabilityMembers = [
  'provider_shape',
  'bearer_auth_available',
  'streaming',
  'max_response_kb',
  'accepts_link_headers',
  'honours_cache_control'
]

const aliases = {
  kind: 'actor_kind',
  type: 'actor_kind',
  actorKind: 'actor_kind',
  name: 'self_label',
  label: 'self_label',
  selfLabel: 'self_label',
  modalities: 'preferred_modalities',
  cosmology: 'cosmology_assumptions',
  audience: 'audience_declarations',
  audiences: 'audience_declarations',
  responseWindowHours: 'response_window_hours'
}

/** Returns a member that is an object, or an empty object in its place. */
function objectOf(value: JsonValue | undefined, path: string, notes: Notes): JsonObject {
  if (isObject(value)) return value
  if (!absent(value)) notes.warn(path, 'wrong_type', `\`${path}\` must be an object; it was left out.`)
  return {}
}

/** Reads assumptions by axis. Any name is allowed as an axis; the eight known ones are optional. */
function readAssumptions(value: JsonValue | undefined, notes: Notes): IdentifyEcho['cosmology_assumptions'] {
  const path = 'cosmology_assumptions'
  const given = Object.entries(objectOf(value, path, notes)).sort(([a], [b]) => (a < b ? -1 : 1))
  if (given.length > limits.axes) notes.truncate(path, 'members', given.length, limits.axes)
  return Object.fromEntries(
    given.slice(0, limits.axes).flatMap(([axis, assumption]) => {
      if (axis.length > limits.label) {
        notes.warn(
          path,
          'name_too_long',
          `A name of ${axis.length} characters was left out; ${limits.label} are taken.`
        )
        return []
      }
      const text = readText(assumption, `${path}.${axis}`, limits.axis, notes)
      return text === null ? [] : [[axis, text]]
    })
  )
}

function readCapabilities(value: JsonValue | undefined, notes: Notes): IdentifyEcho['capabilities'] {
  const path = 'capabilities'
  const given = objectOf(value, path, notes)
  const streaming = objectOf(given['streaming'], `${path}.streaming`, notes)
  notes.refuseUnknown(Object.keys(given), capabilityMembers, { where: `${path}.` })
  notes.refuseUnknown(Object.keys(streaming), streams, { where: `${path}.streaming.` })
  const flag = (name: (typeof streams)[number]): boolean | null =>
    readFlag(streaming[name], `${path}.streaming.${name}`, notes)
  return {
    provider_shape: readWord(given['provider_shape'], `${path}.provider_shape`, providerShapes, notes),
    bearer_auth_available: readFlag(given['bearer_auth_available'], `${path}.bearer_auth_available`, notes),
    streaming: { sse: flag('sse'), chunked: flag('chunked'), ndjson: flag('ndjson'), websocket: flag('websocket') },
    max_response_kb: readInteger(
      given['max_response_kb'],
      `${path}.max_response_kb`,
      { least: 1, most: limits.responseKb },
      notes
    ),
    accepts_link_headers: readFlag(given['accepts_link_headers'], `${path}.accepts_link_headers`, notes),
    honours_cache_control: readFlag(given['honours_cache_control'], `${path}.honours_cache_control`, notes)
  }
}

/**
 * Normalises a declaration: all members are present, and null or empty if they have no usable value. Changes are
 * recorded in `notes`. Normalising is idempotent and then adds no notes.
 */
export function normaliseDeclaration(given: JsonObject, notes: Notes): IdentifyEcho {
  notes.refuseUnknown(Object.keys(given), declarationMembers, { aliases })
  return {
    actor_kind: readWord(given['actor_kind'], 'actor_kind', actorKinds, notes) ?? 'other',
    self_label: readText(given['self_label'], 'self_label', limits.label, notes) ?? '(anonymous)',
    cosmology_assumptions: readAssumptions(given['cosmology_assumptions'], notes),
    preferred_modalities: readList(
      given['preferred_modalities'],
      'preferred_modalities',
      limits.modalities,
      notes,
      (item, path) => readWord(item, path, modalities, notes)
    ),
    capabilities: readCapabilities(given['capabilities'], notes),
    response_window_hours: readInteger(
      given['response_window_hours'],
      'response_window_hours',
      { least: 1, most: limits.hours },
      notes
    ),
    audience_declarations: readList(
      given['audience_declarations'],
      'audience_declarations',
      limits.audiences,
      notes,
      (item, path) => readText(item, path, limits.audience, notes)
    ),
    well_known_url: readAddress(given['well_known_url'], 'well_known_url', limits.url, notes),
    signing_key: readText(given['signing_key'], 'signing_key', limits.key, notes),
    signaling_protocol: readWord(given['signaling_protocol'], 'signaling_protocol', protocols, notes),
    context: readFreeObject(objectOf(given['context'], 'context', notes), 'context', notes),
    declared_at: readMoment(given['declared_at'], 'declared_at', notes)
  }
}

/** Compares the axes in a declaration with those that this service knows. */
export function alignmentOf(assumptions: IdentifyEcho['cosmology_assumptions']): {
  matches: string[]
  extensions_proposed: { field: string; did_you_mean: string | null }[]
} {
  const names = Object.keys(assumptions)
  const known: readonly string[] = axes
  return {
    matches: names.filter(name => known.includes(name)),
    extensions_proposed: names
      .filter(name => !known.includes(name))
      .map(field => ({ field, did_you_mean: suggest(field, axes) ?? null }))
  }
}

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

type IdentifyPointer = Readonly<{ url: string; why: string }>

const tools = (pathTo: PathTo, format: string): IdentifyPointer => ({
  url: `${pathTo('tools')}?format=${format}`,
  why: 'Every surface as a function in the form you named.'
})

const byShape = (pathTo: PathTo): Readonly<Record<string, IdentifyPointer>> => ({
  anthropic: tools(pathTo, 'anthropic'),
  openai: tools(pathTo, 'openai'),
  gemini: tools(pathTo, 'gemini'),
  cohere: tools(pathTo, 'cohere'),
  raw_json: { url: pathTo('openapi'), why: 'You call over plain HTTP: this is the contract.' }
})

const byModality = (pathTo: PathTo): Readonly<Record<string, IdentifyPointer>> => ({
  math: { url: pathTo('universal/encoding'), why: 'How structural documents are hashed, and how to check one.' },
  'plain-text': { url: pathTo('llms'), why: 'The service in plain text.' }
})

/** Returns links that may interest the sender of a declaration. */
export function pointersFor(
  {
    preferred_modalities: modalities,
    capabilities: { provider_shape: shape }
  }: Pick<IdentifyEcho, 'preferred_modalities' | 'capabilities'>,
  pathTo: PathTo
): readonly IdentifyPointer[] {
  const start: IdentifyPointer = {
    url: pathTo('hospitality/welcome'),
    why: 'A first page for whoever has just arrived.'
  }
  const modality = byModality(pathTo)
  const found = [shape === null ? undefined : byShape(pathTo)[shape], ...modalities.map(name => modality[name])]
  return [start, ...found.filter(pointer => pointer !== undefined)]
}

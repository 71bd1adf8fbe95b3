import { Moment, nullable, suggest, Text, Texts, Type, type DataOf, type JsonObject, type PathTo } from 'pantry/data'
import { MemberReader, memberSchema, readFreeObject, readText, type Notes } from './identify-values.ts'

/**
 * Lengths of texts are in Unicode scalar values; those of names of axes and of serialised URLs in UTF-16 code units.
 */
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

const Flag = nullable(Type.Boolean())
const OptionalFlag = Type.Optional(Type.Boolean())

export const Declaration = Type.Object(
  {
    actor_kind: memberSchema(`What you are: ${actorKinds.join(', ')}. \`other\` when it is left out.`),
    self_label: memberSchema(`What you call yourself, at most ${limits.label} characters.`),
    cosmology_assumptions: memberSchema(
      `What you take for granted, a text by axis: ${axes.join(', ')}, or names of your own.`,
      Type.Object(Object.fromEntries(axes.map(axis => [axis, Type.Optional(Text)])))
    ),
    preferred_modalities: memberSchema(`List of ${modalities.join(', ')}.`, Texts),
    capabilities: memberSchema(
      `An object: \`provider_shape\` (${providerShapes.join(', ')}), \`bearer_auth_available\`, \`streaming\` (sse, chunked, ndjson, websocket), \`max_response_kb\`, \`accepts_link_headers\`, \`honours_cache_control\`.`,
      Type.Object({
        provider_shape: Type.Optional(Text),
        bearer_auth_available: OptionalFlag,
        streaming: Type.Optional(Type.Object(Object.fromEntries(streams.map(name => [name, OptionalFlag])))),
        max_response_kb: Type.Optional(Type.Integer()),
        accepts_link_headers: OptionalFlag,
        honours_cache_control: OptionalFlag
      })
    ),
    response_window_hours: memberSchema(`Within how many hours you answer, 1 to ${limits.hours}.`, Type.Integer()),
    audience_declarations: memberSchema(`Whom you speak for, at most ${limits.audiences} texts.`, Texts),
    well_known_url: memberSchema('Where you describe yourself, http or https. It is not fetched.'),
    signing_key: memberSchema(
      `A public key in any text form, at most ${limits.key} characters. Nothing is verified with it.`
    ),
    signaling_protocol: memberSchema(`How you can be recognised elsewhere: ${protocols.join(', ')}.`),
    context: Type.Optional(Type.Unknown({ description: 'Anything else, as an object in a form of your own.' })),
    declared_at: memberSchema('When you declared it, by RFC 3339 with an explicit zone.')
  },
  { additionalProperties: true }
)

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

const declarationMembers = Object.keys(IdentifyEcho.properties)
const capabilityMembers = Object.keys(IdentifyEcho.properties.capabilities.properties)

/** Reads the assumptions by axis. Any name is allowed as an axis; the eight known ones are optional. */
function readAssumptions(assumptions: JsonObject, notes: Notes): IdentifyEcho['cosmology_assumptions'] {
  const path = 'cosmology_assumptions'
  const entries = Object.entries(assumptions).sort(([a], [b]) => (a < b ? -1 : 1))
  notes.truncate(path, 'members', entries.length, limits.axes)
  return Object.fromEntries(
    entries.slice(0, limits.axes).flatMap(([axis, assumption]) => {
      if (axis.length > limits.label) {
        const message = `A name of ${axis.length} characters was left out; ${limits.label} are taken.`
        notes.warn(path, 'name_too_long', message)
        return []
      }
      const text = readText(assumption, `${path}.${axis}`, limits.axis, notes)
      return text === null ? [] : [[axis, text]]
    })
  )
}

function readCapabilities(members: MemberReader): IdentifyEcho['capabilities'] {
  const streaming = members.nested('streaming')
  members.refuseUnknown(capabilityMembers)
  streaming.refuseUnknown(streams)
  return {
    provider_shape: members.word('provider_shape', providerShapes),
    bearer_auth_available: members.flag('bearer_auth_available'),
    streaming: {
      sse: streaming.flag('sse'),
      chunked: streaming.flag('chunked'),
      ndjson: streaming.flag('ndjson'),
      websocket: streaming.flag('websocket')
    },
    max_response_kb: members.integer('max_response_kb', 1, limits.responseKb),
    accepts_link_headers: members.flag('accepts_link_headers'),
    honours_cache_control: members.flag('honours_cache_control')
  }
}

/**
 * Returns a declaration with all members. One without a usable value is null or empty, except `actor_kind` (`other`)
 * and `self_label` (`(anonymous)`). Changes are recorded in `notes`. Normalising is idempotent.
 */
export function normaliseDeclaration(declaration: JsonObject, notes: Notes): IdentifyEcho {
  const members = new MemberReader(declaration, notes)
  members.refuseUnknown(declarationMembers, aliases)
  return {
    actor_kind: members.word('actor_kind', actorKinds) ?? 'other',
    self_label: members.text('self_label', limits.label) ?? '(anonymous)',
    cosmology_assumptions: readAssumptions(members.object('cosmology_assumptions'), notes),
    preferred_modalities: members.list('preferred_modalities', limits.modalities, (items, index) =>
      items.word(index, modalities)
    ),
    capabilities: readCapabilities(members.nested('capabilities')),
    response_window_hours: members.integer('response_window_hours', 1, limits.hours),
    audience_declarations: members.list('audience_declarations', limits.audiences, (items, index) =>
      items.text(index, limits.audience)
    ),
    well_known_url: members.url('well_known_url', limits.url),
    signing_key: members.text('signing_key', limits.key),
    signaling_protocol: members.word('signaling_protocol', protocols),
    context: readFreeObject(members.object('context'), 'context', notes),
    declared_at: members.moment('declared_at')
  }
}

/** Compares the axes in a declaration with those that this service knows. */
export function alignmentOf(assumptions: IdentifyEcho['cosmology_assumptions']) {
  const names = Object.keys(assumptions)
  const known: readonly string[] = axes
  return {
    matches: names.filter(name => known.includes(name)),
    extensions_proposed: names
      .filter(name => !known.includes(name))
      .map(field => ({ field, did_you_mean: suggest(field, axes) ?? null }))
  }
}

type IdentifyPointer = Readonly<{ url: string; why: string }>

const pointerForShape = (shape: string, pathTo: PathTo): IdentifyPointer =>
  shape === 'raw_json'
    ? { url: pathTo('openapi'), why: 'You call over plain HTTP: this is the contract.' }
    : { url: `${pathTo('tools')}?format=${shape}`, why: 'Every surface as a function in the form you named.' }

function pointersForModality(modality: string, pathTo: PathTo): readonly IdentifyPointer[] {
  if (modality === 'math')
    return [{ url: pathTo('universal/encoding'), why: 'How structural documents are hashed, and how to check one.' }]
  return modality === 'plain-text' ? [{ url: pathTo('llms'), why: 'The service in plain text.' }] : []
}

/** Returns links that may interest the sender of a declaration. */
export const pointersFor = (
  {
    preferred_modalities: modalities,
    capabilities: { provider_shape: shape }
  }: Pick<IdentifyEcho, 'preferred_modalities' | 'capabilities'>,
  pathTo: PathTo
): readonly IdentifyPointer[] => [
  { url: pathTo('hospitality/welcome'), why: 'A first page for whoever has just arrived.' },
  ...(shape === null ? [] : [pointerForShape(shape, pathTo)]),
  ...modalities.flatMap(name => pointersForModality(name, pathTo))
]

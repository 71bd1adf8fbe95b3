import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { discoveryModules } from '../../core/discovery/index.ts'
import { surfaceOf } from '../../core/discovery/pointers.ts'
import { placeholdersOf } from '../../core/manifest/route.ts'
import type { Registry } from '../../core/registry/registry.ts'
import type { DiscoveryDocument, Kind } from '../../core/vocabulary/words.ts'
import { UsageError } from '../config.ts'
import { corpusFiles, documentFile, handlerFile, type Files } from './content.ts'
import { wordsOf } from './rights.ts'
import { manifestText } from './yaml.ts'

export type Wanted = Readonly<{
  kind: Kind
  /** Id of the surface; that of a witness ends in `.post`. */
  id: string
  path: string | undefined
  corpus: string | undefined
  document: string | undefined
}>

export type Place = Readonly<{
  registry: Registry
  /** Folder of the root, and of the framework's code. */
  folder: string
  core: string
  /** `YYYY-MM-DD`. */
  today: string
}>

/** What a kind adds to the facets, and the files it needs beside the manifest. */
type Parts = Readonly<{ path: string, tier?: string, fields: Readonly<Record<string, unknown>>, provenance: string, contract?: string, formats?: readonly string[], examples?: readonly object[], files?: Files }>

const lastWord = (id: string): string => id.replace(/\.[a-z]+$/, '').split('/').at(-1) ?? id
/** The name of a corpus or document: letters, digits and single hyphens. */
const nameOf = (id: string): string => lastWord(id).replaceAll(/[._]/g, '-')
const defaultPath = (id: string): string => `/api/v1/${id.replace(/\.[a-z]+$/, '')}`

function withoutPlaceholders (kind: Kind, path: string): string {
  if (placeholdersOf(path).length > 0) throw new UsageError(`The path of a \`${kind}\` surface has no placeholders, but it is \`${path}\`.`)
  return path
}

/** An example for each placeholder; `undefined` when the path has none. */
function paramsExample (path: string, expect?: object): readonly object[] | undefined {
  const names = placeholdersOf(path)
  return names.length === 0 ? undefined : [{ title: 'An example', params: Object.fromEntries(names.map(name => [name, 'example'])), ...(expect === undefined ? {} : { expect }) }]
}

function collection ({ id, path = defaultPath(id), corpus = nameOf(id) }: Wanted, { registry }: Place): Parts {
  const known = registry.corpora.get(corpus)
  const { license } = wordsOf(registry.service, known?.license)
  return {
    path: withoutPlaceholders('collection', path),
    tier: license,
    provenance: 'static',
    fields: { corpus, limit: { default: 20, maximum: 100 }, list: 'entries' },
    files: known === undefined ? corpusFiles(corpus, license) : {}
  }
}

function entry ({ id, path, corpus = nameOf(id) }: Wanted, { registry }: Place): Parts {
  const known = registry.corpora.get(corpus)
  const { license } = wordsOf(registry.service, known?.license)
  const listed = registry.surfaces.find(({ answer }) => answer.kind === 'collection' && answer.corpus === corpus && answer.pick === undefined)
  const route = path ?? `${listed?.route.path ?? defaultPath(id)}/{${known?.key.replaceAll(/\W/g, '') ?? 'id'}}`
  const [key, ...others] = placeholdersOf(route)
  if (key === undefined || others.length > 0) throw new UsageError(`The path of an \`entry\` surface has one placeholder, for the key of the entry, but it is \`${route}\`.`)
  const first = known === undefined ? 'first' : [...known.byKey.keys()][0] ?? 'first'
  return {
    path: route,
    tier: license,
    provenance: 'static',
    fields: { corpus, key, member: 'entry' },
    examples: [{ title: 'One entry', params: { [key]: first } }],
    files: known === undefined ? corpusFiles(corpus, license) : {}
  }
}

function document ({ id, path = defaultPath(id), document: name = nameOf(id) }: Wanted, { registry }: Place): Parts {
  return {
    path: withoutPlaceholders('document', path),
    provenance: 'static',
    fields: { document: name },
    files: registry.documents.has(name) ? {} : documentFile(name)
  }
}

function statusOnly ({ id, path = defaultPath(id) }: Wanted): Parts {
  const examples = paramsExample(path)
  return {
    path,
    provenance: 'static',
    fields: { status: 503, code: 'SOURCE_UNAVAILABLE', message: 'Publication is paused.', document: { publication_status: 'paused' }, retry_after: 86_400 },
    ...(examples === undefined ? {} : { examples })
  }
}

const witness = ({ id, path = defaultPath(id) }: Wanted, { registry: { service } }: Place): Parts => ({
  path: withoutPlaceholders('witness', path),
  provenance: 'computed',
  fields: {
    method: 'POST',
    body: { limit_bytes: 4096, schema: { type: 'object', additionalProperties: false, required: ['text'], properties: { text: { type: 'string', minLength: 1, maxLength: 500 } } } },
    normalise: { text: ['nfc', 'trim'] },
    hash: { contract: `${service.id}.${nameOf(id)}/1`, over: ['text'] },
    receipt: { persisted: false, authenticated: false }
  },
  examples: [{ title: 'A text is given back with its hash', body: { text: 'hello' }, expect: { shows: { '/data/receipt/persisted': false } } }]
})

/** A document that is served already lends its contract, forms and example; without a name it is one that is not served, where there is one. */
function discovery ({ id, path, document: name }: Wanted, { registry }: Place): Parts {
  const names = [...discoveryModules.keys()]
  const chosen: DiscoveryDocument | undefined = name === undefined
    ? names.find(one => surfaceOf(registry, one) === undefined && discoveryModules.get(one)?.input?.params === undefined) ?? 'manifest'
    : names.find(one => one === name)
  if (chosen === undefined) throw new UsageError(`There is no discovery document \`${name ?? ''}\`. Documents: ${names.join(', ')}.`)
  const served = surfaceOf(registry, chosen)
  const placeholders = served?.route.placeholders ?? []
  return {
    path: path ?? [defaultPath(id), ...placeholders.map(placeholder => `{${placeholder}}`)].join('/'),
    provenance: 'computed',
    contract: served?.contract ?? 'envelope',
    formats: served?.formats ?? ['json'],
    fields: { document: chosen },
    ...(placeholders.length === 0 ? {} : { examples: [{ title: 'An example', params: served?.examples[0]?.params ?? {} }] })
  }
}

function handler ({ id, path = defaultPath(id) }: Wanted, place: Place): Parts {
  const examples = paramsExample(path)
  return { path, provenance: 'computed', fields: {}, ...(examples === undefined ? {} : { examples }), files: handlerFile(id, path, place) }
}

function partsOf (wanted: Wanted, place: Place): Parts {
  switch (wanted.kind) {
    case 'status-only': return statusOnly(wanted)
    case 'document': return document(wanted, place)
    case 'collection': return collection(wanted, place)
    case 'entry': return entry(wanted, place)
    case 'witness': return witness(wanted, place)
    case 'discovery': return discovery(wanted, place)
    case 'handler': return handler(wanted, place)
  }
}

/** The files of a new surface: valid as they stand, with the vocabulary of the service they join. */
export function filesOf (wanted: Wanted, place: Place): Files {
  const { kind, id } = wanted
  const { path, tier, fields, provenance, contract = 'envelope', formats = ['json'], examples, files = {} } = partsOf(wanted, place)
  const { license, source, freshness } = wordsOf(place.registry.service, tier)
  const tag = (id.split(/[/.]/, 1)[0] ?? '').replaceAll('_', '-')
  const manifest = manifestText(kind, {
    kind,
    path,
    summary: 'What the surface answers, in one sentence.',
    tags: [/^[a-z]/.test(tag) ? tag : kind],
    access: 'public',
    freshness,
    license,
    sources: [source],
    provenance,
    since: place.today,
    contract,
    formats,
    ...fields,
    ...(examples === undefined ? {} : { examples })
  }, existsSync(join(place.folder, 'manifests', 'schema.json')) ? `${'../'.repeat(id.split('/').length - 1)}schema.json` : undefined)
  return { [`manifests/${id}.yaml`]: manifest, ...files }
}

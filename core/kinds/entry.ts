import type { JsonObject } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import { unknownId } from '../handler/errors.ts'
import { Field, OnlyGet, type ManifestWith } from '../manifest/manifest.ts'
import { parametersSchema, placeholdersSchema, segment } from '../manifest/normalise.ts'
import { placeholdersOf } from '../manifest/paths.ts'
import type { Surface } from '../manifest/surface.ts'
import type { ContentSource, KindDependencies } from '../plan/kind.ts'
import { propertiesOf } from '../schema/json-schema.ts'
import {
  checkKeyPath,
  CorpusField,
  corpusOf,
  corpusReference,
  declaredContracts,
  exactly,
  nounOf,
  FixedMembers,
  fixedMembers,
  checkMemberNames,
  renamedMembers
} from './fields.ts'
import { defineKind } from './kind.ts'
import { corpusFiles, corpusOfOne, defaultPath, ScaffoldError, manifestWordsOf, type Scaffold } from './scaffold.ts'
import { fieldsetOf, fieldsetParameter, fieldsetSchema, compileFieldset, compilePerLanguage } from './shown-entries.ts'

const fields = {
  method: Type.Optional(OnlyGet),
  corpus: CorpusField,
  key: { ...Field, examples: ['slug'], description: 'Placeholder of the path that carries the key of the entry.' },
  member: Type.Optional({
    ...Field,
    examples: ['guide'],
    description: 'Name of the entry in the answer. Default `entry`.'
  }),
  with: FixedMembers('the content of the corpus')
}

type EntryManifest = ManifestWith<typeof fields>

type EntryAnswer = Readonly<{
  corpus: string
  /** The placeholder whose value is the entry's key. */
  key: string
  member: string
  /** The members under `with` in the manifest, which come before the entry. */
  fixed: JsonObject
}>

/** Compiles the source of an entry surface. For an unknown key it throws NOT_FOUND with keys that there are. */
export function compileEntry(surface: Surface<EntryAnswer>, given: KindDependencies<'corpora'>): ContentSource {
  const { corpus: name, key, member, fixed } = surface.answer
  const declared = corpusOf(given, name)
  const choose = compileFieldset(declared)
  const knownIds = [...declared.byKey.keys()]
  return compilePerLanguage(declared, corpus => ({
    when: 'pure',
    answer: ({ params, query }) => {
      const id = String(params[key] ?? '')
      const entry = corpus.byKey.get(id)
      if (entry === undefined) throw unknownId(nounOf(member), id, knownIds)
      const { columns, show, whole } = choose(query['fields'])
      return {
        status: 200,
        data: { ...fixed, [member]: show(entry) },
        list: { entries: [whole(entry)], corpus, columns }
      }
    }
  }))
}

/**
 * Without a path, takes one below that of the surface that lists the same corpus; if there is none, the default path.
 */
const scaffold: Scaffold = (wanted, { registry }) => {
  const { id, path } = wanted
  const corpus = corpusOfOne(wanted, registry)
  const known = registry.corpora.get(corpus)
  const { license } = manifestWordsOf(registry.service, known?.license)
  const list = registry.surfaces.find(({ shows }) => shows?.as === 'list' && shows.corpus === corpus)
  const route = path ?? `${list?.route.path ?? defaultPath(id)}/{${known?.key.replaceAll(/\W/g, '') ?? 'id'}}`
  const [key, ...others] = placeholdersOf(route)
  if (key === undefined || others.length > 0)
    throw new ScaffoldError(
      `The path of an \`entry\` surface has one placeholder, for the key of the entry, but it is \`${route}\`.`
    )
  const [first = 'first'] = known?.byKey.keys() ?? []
  return {
    path: route,
    tier: license,
    provenance: 'static',
    fields: { corpus, key, member: 'entry' },
    examples: [{ title: 'One entry', params: { [key]: first } }],
    files: known === undefined ? corpusFiles(corpus, license) : {}
  }
}

export const entry = defineKind<EntryManifest, EntryAnswer, 'corpora'>({
  name: 'entry',
  meaning: 'One entry of a corpus by its key.',
  reaches: ['corpora'],
  fields,
  renamed: renamedMembers,
  holds: ['value', 'words', 'object'],
  contracts: declaredContracts,
  check: file => checkMemberNames(file, file.manifest.with, [file.manifest.member ?? 'entry']),
  checkPath: checkKeyPath,
  refersTo: ({ manifest }) => [corpusReference(manifest.corpus)],
  answer: ({ manifest: { corpus, key, member = 'entry', with: fixed = {} } }) => ({
    corpus,
    key,
    member,
    fixed: fixed as JsonObject
  }),
  facts: ({ corpus, member }) => ({ shows: { corpus, as: 'one', member } }),
  input: ({ answer, placeholders }, context) => {
    const corpus = corpusOf(context, answer.corpus)
    const { description } = propertiesOf(corpus.schema)[corpus.key] ?? {}
    return {
      params: placeholdersSchema(
        placeholders,
        description === undefined ? {} : { [answer.key]: { ...segment, description } }
      ),
      query: parametersSchema({ fields: fieldsetParameter(fieldsetOf(corpus)) })
    }
  },
  output: ({ answer: { corpus: name, member, fixed } }, context) => {
    const corpus = corpusOf(context, name)
    return exactly({ ...fixedMembers(fixed), [member]: fieldsetSchema(corpus.schema, fieldsetOf(corpus)) })
  },
  compile: compileEntry,
  scaffold
})

import type { JsonObject } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import { notFound } from '../handler/errors.ts'
import { ensureDefined } from '../manifest/kind.ts'
import { Field, OnlyGet, type ManifestWith } from '../manifest/manifest.ts'
import { parametersSchema, placeholdersSchema } from '../manifest/normalise.ts'
import type { Surface } from '../manifest/surface.ts'
import type { ContentSource, KindDependencies } from '../plan/kind.ts'
import { propertiesOf } from '../schema/json-schema.ts'
import {
  checkKeyPath,
  checkMemberNames,
  corpusOf,
  corpusReference,
  declaredContracts,
  exactly,
  nounOf,
  FixedMembers,
  fixedMembers
} from './fields.ts'
import { defineKind } from './kind.ts'
import { RowsField } from './rows/manifest.ts'
import { corpusFor } from './rows/scaffold.ts'
import { corpusOfOne, defaultPath, type Scaffold } from './scaffold.ts'
import { compileFieldset, fieldsetOf, fieldsetParameter, fieldsetSchema } from './shown-entries.ts'

const fields = {
  method: Type.Optional(OnlyGet),
  corpus: RowsField,
  key: { ...Field, examples: ['id'], description: 'Placeholder of the path that carries the key of the row.' },
  member: Type.Optional({
    ...Field,
    examples: ['place'],
    description: 'Name of the row in the answer. Default `entry`.'
  }),
  with: FixedMembers('the content of the table')
}

type RowManifest = ManifestWith<typeof fields>

type RowAnswer = Readonly<{
  corpus: string
  /** The placeholder whose value is the key of the row. */
  key: string
  member: string
  /** The members under `with` in the manifest, which come before the row. */
  fixed: JsonObject
}>

/** Compiles the source of one row. For an unknown key it throws NOT_FOUND. */
function compileRow({ answer }: Surface<RowAnswer>, given: KindDependencies<'corpora' | 'tables'>): ContentSource {
  const { key, member, fixed } = answer
  const corpus = corpusOf(given, answer.corpus)
  const table = given.tables(corpus)
  const choose = compileFieldset(corpus)
  const textFields = Object.values(corpus.roles)
  return {
    when: 'live',
    answer: async ({ params, query }) => {
      const { columns, show, whole } = choose(query['fields'])
      const asked = params[key]
      const wanted = typeof asked === 'number' ? asked : String(asked ?? '')
      const row = await table.one(wanted, [...new Set([...columns, ...textFields, corpus.key])])
      if (row === undefined) throw notFound(nounOf(member), String(wanted))
      return { status: 200, data: { ...fixed, [member]: show(row) }, list: { entries: [whole(row)], corpus, columns } }
    }
  }
}

/** Without a path, takes one below that of the surface that lists the table; if there is none, the default path. */
const scaffold: Scaffold = (wanted, { registry }) => {
  const { id, path } = wanted
  const name = corpusOfOne(wanted, registry)
  const { corpus, license, parts } = corpusFor(name, registry)
  const list = registry.surfaces.find(({ shows }) => shows?.as === 'list' && shows.corpus === name)
  const key = corpus.key.replaceAll(/\W/g, '')
  return {
    path: path ?? `${list?.route.path ?? defaultPath(id)}/{${key}}`,
    tier: license,
    provenance: 'live',
    formats: ['json', 'html', 'md'],
    fields: { corpus: name, key, member: 'entry' },
    // The rows of a table that was there before are not known here; a new one begins with the row 1.
    examples:
      parts.migration === undefined
        ? [{ title: 'A key that no row has', params: { [key]: '0' }, expect: { status: 404 } }]
        : [{ title: 'One row', params: { [key]: '1' } }],
    ...parts
  }
}

export const row = defineKind<RowManifest, RowAnswer, 'corpora' | 'tables'>({
  name: 'row',
  meaning: 'One row of a table of the database by its key.',
  reaches: ['corpora', 'tables'],
  fields,
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
    const key = ensureDefined(propertiesOf(corpus.schema)[corpus.key], `field ${corpus.key}`)
    return {
      params: placeholdersSchema(placeholders, key['type'] === 'integer' ? { [answer.key]: { type: 'integer' } } : {}),
      query: parametersSchema({ fields: fieldsetParameter(fieldsetOf(corpus)) })
    }
  },
  output: ({ answer: { corpus: name, member, fixed } }, context) => {
    const corpus = corpusOf(context, name)
    return exactly({ ...fixedMembers(fixed), [member]: fieldsetSchema(corpus.schema, fieldsetOf(corpus)) })
  },
  compile: compileRow,
  scaffold
})

import type { JsonSchema } from '../canonical/json.ts'
import type { Corpus, Entry, Translation } from '../corpus/corpus.ts'
import { isAlwaysShown } from '../corpus/select.ts'
import { quotedList } from '../diagnostics/diagnostic.ts'
import { SurfaceError } from '../handler/errors.ts'
import { changedQuery } from '../plan/dispatch.ts'
import type { AnswerLanguage, ContentSource } from '../plan/kind.ts'
import { propertiesOf, requiredOf } from '../schema/json-schema.ts'

/**
 * The members of an entry that a caller may select (`offered`), and those of them that every answer includes
 * (`always`).
 */
type Fieldset = Readonly<{ offered: readonly string[]; always: readonly string[] }>

type Entries = Pick<Corpus, 'schema' | 'key' | 'keep' | 'roles'>

/**
 * Of the members that a surface shows (`shown`, default all), every answer includes the key, those under `keep` of the
 * corpus, and those that `isAlwaysShown` names.
 */
export function fieldsetOf({ schema, key, keep }: Entries, shown?: readonly string[]): Fieldset {
  const offered = Object.keys(propertiesOf(schema)).filter(name => shown?.includes(name) ?? true)
  return { offered, always: offered.filter(name => name === key || keep.includes(name) || isAlwaysShown(name)) }
}

export const fieldsetParameter = ({ offered, always }: Fieldset): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: 1000,
  description: `Members of an entry to show, with commas between them: ${quotedList(offered)}. Shown in any case: ${quotedList(always)}. Without it all are.`
})

/** Returns the schema of an entry with the offered members; only members that every answer includes stay required. */
export const fieldsetSchema = (schema: JsonSchema, { offered, always }: Fieldset): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(propertiesOf(schema)).filter(([name]) => offered.includes(name))),
  required: requiredOf(schema).filter(name => always.includes(name))
})

/**
 * `show` cuts an entry to the members in `columns`; `whole` also keeps those that text formats use as title, date and
 * text.
 */
type SelectedFields = Readonly<{
  columns: readonly string[]
  show: (entry: Entry) => Entry
  whole: (entry: Entry) => Entry
}>

const pick =
  (names: readonly string[]) =>
  (entry: Entry): Entry =>
    Object.fromEntries(Object.entries(entry).filter(([name]) => names.includes(name)))

/** Returns a function that reads `fields`. It throws INVALID_INPUT for a name that is not offered. */
export function compileFieldset(corpus: Entries, shown?: readonly string[]): (asked: unknown) => SelectedFields {
  const { offered, always } = fieldsetOf(corpus, shown)
  const show = shown === undefined ? (entry: Entry) => entry : pick(offered)
  const unasked: SelectedFields = { columns: offered, show, whole: show }
  return asked => {
    if (typeof asked !== 'string') return unasked
    const names = asked.split(',').map(name => name.trim())
    const unknown = names.find(name => !offered.includes(name))
    if (unknown !== undefined)
      throw new SurfaceError('INVALID_INPUT', `Entries have no member \`${unknown.slice(0, 80)}\` to show.`, {
        details: { in: 'query', field: 'fields', allowed: offered }
      })
    const columns = offered.filter(name => names.includes(name) || always.includes(name))
    return {
      columns,
      show: pick(columns),
      whole: pick([...columns, ...Object.values(corpus.roles).filter(name => offered.includes(name))])
    }
  }
}

type Pure = Extract<ContentSource, { when: 'pure' }>

function languageOf(
  tag: string,
  { corpus, translated, untranslated }: Translation,
  fallback: string,
  shown: readonly Entry[],
  queries: AnswerLanguage['queries']
): AnswerLanguage {
  const keys = shown.map(entry => [entry, entry[corpus.key] as string] as const)
  const missing = keys.flatMap(([entry, key]): [string, readonly string[]][] => {
    const names = untranslated.get(key)?.filter(name => name in entry) ?? []
    return names.length === 0 ? [] : [[key, names]]
  })
  const isSpoken = missing.length === 0 || keys.some(([, key]) => translated.has(key))
  return {
    tag,
    queries,
    untranslated: Object.fromEntries(missing),
    content: [...(isSpoken ? [tag] : []), ...(missing.length > 0 ? [fallback] : [])]
  }
}

/** Compiles one source for each language of a corpus; the source of the language of a request answers it. */
export function compilePerLanguage(corpus: Corpus, compile: (corpus: Corpus) => Pure): Pure {
  const { translations } = corpus
  if (translations === undefined) return compile(corpus)
  const tags = [...translations.keys()]
  const [first = ''] = tags
  const compiled = new Map(
    [...translations].map(([tag, translation]) => [tag, { translation, source: compile(translation.corpus) }])
  )
  return {
    ...compile(corpus),
    answer: (input, moment) => {
      const tag = input.language ?? first
      const one = compiled.get(tag)
      if (one === undefined) throw new Error(`The corpus ${corpus.name} does not declare ${tag}.`)
      // A cursor is valid in one language only: the link to the next page names the language, and links to other
      // languages lead to their first page.
      const query = Object.fromEntries(Object.entries(input.query).filter(([name]) => name !== 'cursor'))
      const result = one.source.answer({ ...input, query: { ...input.query, lang: tag } }, moment)
      const queries = new Map(tags.map(other => [other, changedQuery(query, { lang: other })]))
      return { ...result, language: languageOf(tag, one.translation, first, result.list?.entries ?? [], queries) }
    }
  }
}

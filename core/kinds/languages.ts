import type { Corpus, Entry, Translation } from '../corpus/corpus.ts'
import { changedQuery } from '../plan/query.ts'
import type { AnswerLanguage, PlanInput, Result, ContentSource } from '../plan/result.ts'

type Pure = Extract<ContentSource, { when: 'pure' }>

/** Returns the language of the shown entries, and which of their shown members are not translated. */
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

/**
 * Compiles a source for each language of a corpus. The source of the request's language answers, and the result says
 * what is not translated.
 */
export function inEachLanguage(corpus: Corpus, compile: (corpus: Corpus) => Pure): Pure {
  const { translations } = corpus
  if (translations === undefined) return compile(corpus)
  const tags = [...translations.keys()]
  const [first = ''] = tags
  const compiled = new Map(
    [...translations].map(([tag, translation]) => [tag, { translation, source: compile(translation.corpus) }])
  )
  return {
    ...compile(corpus),
    answer: (input: PlanInput, moment): Result => {
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

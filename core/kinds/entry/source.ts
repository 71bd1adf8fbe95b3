import type { JsonObject } from '../../canonical/json.ts'
import { notFound } from '../../handler/errors.ts'
import type { Surface } from '../../manifest/surface.ts'
import type { Given } from '../../plan/kind.ts'
import type { ContentSource } from '../../plan/result.ts'
import { compileChoice } from '../choice.ts'
import { inEachLanguage } from '../languages.ts'

export type EntryAnswer = Readonly<{
  corpus: string
  /** The placeholder whose value is the entry's key. */
  key: string
  /** Name of the member that holds the entry. */
  member: string
  /** Members before the entry. */
  fixed: JsonObject
}>

/** Compiles a surface that answers with the entry of a key. For an unknown key it answers 404 with the known keys. */
export function compileEntry(surface: Surface<EntryAnswer>, { corpora }: Given<'corpora'>): ContentSource {
  const { corpus: name, key, member, fixed } = surface.answer
  const declared = corpora.get(name)
  if (declared === undefined) throw new Error(`There is no corpus ${name}.`)
  const choose = compileChoice(declared)
  const knownIds = [...declared.byKey.keys()]
  return inEachLanguage(declared, corpus => ({
    when: 'pure',
    answer: ({ params, query }) => {
      const wanted = String(params[key] ?? '')
      const entry = corpus.byKey.get(wanted)
      if (entry === undefined)
        throw notFound(`entry of \`${name}\` with the ${corpus.key}`, wanted, { known_ids: knownIds })
      const { columns, show, whole } = choose(query['fields'])
      return {
        status: 200,
        data: { ...fixed, [member]: show(entry) },
        list: { entries: [whole(entry)], corpus, columns }
      }
    }
  }))
}

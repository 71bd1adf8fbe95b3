import type { Corpus } from '../../corpus/corpus.ts'
import { notFound } from '../../handler/errors.ts'
import type { SurfaceOf } from '../../manifest/surface.ts'
import type { Source } from '../result.ts'

/** One entry by its key; an unknown key is a 404 that lists the known ones. */
export function compileEntry (surface: SurfaceOf<'entry'>, given: { corpora: ReadonlyMap<string, Corpus> }): Source {
  const { corpus: name, key, member, document } = surface.answer
  const corpus = given.corpora.get(name)
  const knownIds = [...corpus?.byKey.keys() ?? []]
  return {
    when: 'pure',
    answer: ({ params }) => {
      const wanted = String(params[key] ?? '')
      const entry = corpus?.byKey.get(wanted)
      if (corpus === undefined || entry === undefined) throw notFound(`entry of \`${name}\` with the ${corpus?.key ?? 'key'}`, wanted, { known_ids: knownIds })
      return { status: 200, data: { ...document, [member]: entry }, list: { entries: [entry], corpus } }
    }
  }
}

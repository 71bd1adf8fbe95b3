import type { JsonObject } from '../canonical/json.ts'
import { siteOf } from '../contract/site.ts'
import { metaFactsOf, type ErrorBody, type MetaFacts, type MetaWriter } from '../contract/envelope.ts'
import { formatModules, formatTable, type Format } from '../format/index.ts'
import type { View } from '../format/format.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { diagnosticPath } from '../vocabulary/words.ts'
import { weakEtag } from './etag.ts'
import { compileReadAt } from './read-at.ts'
import type { BodyText, CutText } from './request.ts'
import type { AnswerLanguage, Result } from './result.ts'

export const errorBody = (result: Pick<Result, 'error' | 'status'>): ErrorBody | undefined =>
  result.error === undefined
    ? undefined
    : { ...result.error, status: result.status, docs: `${diagnosticPath}#${result.error.code}` }

/** Writes `{ data, error?, _meta }` as JSON text. */
export function envelopeText(meta: MetaWriter, path: string, asOf: string, facts: MetaFacts, result: Result): CutText {
  const data = JSON.stringify(result.data)
  const error = errorBody(result)
  const [beforeTime, beforeId, end] = meta(path, asOf, facts)
  return {
    mediaType: formatModules.json.mediaType,
    pieces: [
      `{"data":${data}${error === undefined ? '' : `,"error":${JSON.stringify(error)}`},"_meta":${beforeTime}`,
      beforeId,
      `${end}}`
    ],
    etag: () => weakEtag(`${path}\n${data}\n${end}`)
  }
}

/** Returns the encoding to write a text of `bytes` bytes in UTF-8: `latin1` if it is all ASCII, which is faster. */
export const encodingOf = (text: string, bytes: number): 'latin1' | 'utf8' =>
  text.length === bytes ? 'latin1' : 'utf8'

const whole = (mediaType: string, text: string, etag = () => weakEtag(text)): BodyText => ({
  mediaType,
  pieces: [text],
  etag
})

/** Returns the member `language` of `_meta`. */
const languageMember = ({ tag, queries, untranslated }: AnswerLanguage): JsonObject => {
  const available = [...queries.keys()]
  return {
    tag,
    available,
    fallback: Object.keys(untranslated).length === 0 ? null : { tag: available[0] ?? tag, untranslated }
  }
}

type BodyWriter = (result: Result, request: { path: string; time: string }, format: Format, asOf?: string) => BodyText

/** Returns the function that turns the results of a surface into text, by the contract and the format. */
export function compileBody(surface: Surface, registry: Registry, meta: MetaWriter): BodyWriter {
  const { service } = registry
  const declared = metaFactsOf(surface, registry)
  const modules = formatTable(service.formats)
  const readAt = compileReadAt(surface, registry)
  const view = (result: Result, path: string): View => ({
    title: surface.title,
    summary: surface.summary,
    url: `${service.base_url}${path}`,
    origin: service.base_url,
    service: service.name,
    site: siteOf(registry),
    path,
    contact: service.contact.email,
    data: result.data,
    ...(result.prose === undefined ? {} : { prose: result.prose }),
    ...(result.language === undefined ? {} : { language: result.language.tag }),
    ...(result.list === undefined
      ? {}
      : {
          list: {
            entries: result.list.entries,
            key: result.list.corpus.key,
            roles: result.list.corpus.roles,
            columns: result.list.columns,
            readAt: readAt(result.list.corpus, path)
          }
        })
  })
  const write: BodyWriter = (result, { path, time }, format, asOf = time) => {
    if (result.file !== undefined) return whole(result.file.mediaType, result.file.text)
    const rendering = result.renderings?.[format]
    if (rendering !== undefined) {
      const made = rendering()
      return whole(
        (modules.get(format) ?? formatModules.json).mediaType,
        typeof made === 'string' ? made : JSON.stringify(made)
      )
    }
    const { mirror } = result
    if (mirror !== undefined)
      return { mediaType: formatModules.json.mediaType, mirror, etag: () => `W/"${mirror.etag}"` }
    const module = modules.get(format)
    if (module === undefined) throw new Error(`Not checked before it was used: format ${format}.`)
    if (format !== 'json') return whole(module.mediaType, module.render(view(result, path)))
    if (surface.contract === 'envelope' || (surface.contract === 'math-mirror' && result.error !== undefined)) {
      const isDeclared = result.next === undefined && result.language === undefined && result.sources === undefined
      const facts = isDeclared
        ? declared
        : {
            ...declared,
            ...(result.next === undefined ? {} : { nextLink: path + result.next }),
            ...(result.language === undefined ? {} : { language: languageMember(result.language) }),
            ...(result.sources === undefined
              ? {}
              : { sources: result.sources, sourceLicense: result.sourceLicense ?? declared.sourceLicense })
          }
      return envelopeText(meta, path, result.asOf ?? asOf, facts, result)
    }
    const error = errorBody(result)
    return whole(module.mediaType, JSON.stringify(error === undefined ? result.data : { error }))
  }
  return (result, request, format, asOf) => {
    const text = write(result, request, format, asOf)
    // Two languages may have the same text, but they are different representations and need different ETags.
    const { language } = result
    return language === undefined ? text : { ...text, etag: () => weakEtag(`${language.tag}\n${text.etag()}`) }
  }
}

import { accessKinds } from '../access/index.ts'
import { canonicalize, isObject, type JsonObject, type JsonValue } from '../canonical/json.ts'
import { quotedList, type Diagnostic } from '../diagnostics/diagnostic.ts'
import { formats } from '../format/index.ts'
import { serviceOf } from '../manifest/service-defaults.ts'
import { AddedWordsSchema, ServiceSchema, type Service, type ServiceFile } from '../manifest/service.ts'
import { compileSchema } from '../schema/compile.ts'
import { reportIssues } from '../source/report-issues.ts'
import { report, reportFile, type SourceFile } from '../source/report.ts'
import { errorCodes } from '../vocabulary/error-codes.ts'

const vocabularies = ['tiers', 'freshness', 'sources', 'tags', 'errors', 'formats', 'access'] as const

const check = (source: SourceFile, schema: typeof ServiceSchema | typeof AddedWordsSchema): readonly Diagnostic[] =>
  source.value === undefined
    ? source.diagnostics
    : reportIssues(source, compileSchema(schema)(source.value), { noun: 'a service' })

const ownWords = {
  errors: { noun: 'an error code', words: Object.keys(errorCodes) },
  formats: { noun: 'a format', words: formats },
  access: { noun: 'an access kind', words: accessKinds }
} as const

/** M325: a service cannot redefine a word of the framework. */
const checkOwnWords = (source: SourceFile): readonly Diagnostic[] =>
  Object.entries(ownWords).flatMap(([list, { noun, words }]) =>
    Object.keys((source.value as ServiceFile)[list as keyof typeof ownWords] ?? {})
      .filter(word => words.includes(word))
      .map(word =>
        report(source, 'M325', [list, word], `\`${word}\` is ${noun} of the framework.`, {
          on: 'key',
          hint: 'Leave it out, or choose another word for another meaning.'
        })
      )
  )

type JoinedService = Readonly<{
  service: Service | undefined
  /** The `service.yaml` that says which service this is. */
  source: SourceFile | undefined
  diagnostics: readonly Diagnostic[]
  /** One sentence for each whole service that was joined to this one; it names the settings that are not used. */
  notes: readonly string[]
}>

/** Returns the values of a declared word without its explanation (`meaning`), as canonical text for comparison. */
const effectOf = (word: JsonValue): string => canonicalize({ ...(word as JsonObject), meaning: null })

const wordsOf = ({ value }: SourceFile, name: (typeof vocabularies)[number]): JsonObject =>
  (value as ServiceFile)[name] ?? {}

/**
 * Joins the words of all files, one vocabulary at a time. If two files give a word different values, the second is
 * reported (M422).
 */
function joinWords(
  service: Service,
  main: SourceFile,
  others: readonly SourceFile[]
): Readonly<{ joined: Partial<Service>; clashes: readonly Diagnostic[] }> {
  const clashes: Diagnostic[] = []
  const joined = Object.fromEntries(
    vocabularies.map(name => {
      const words: Record<string, JsonValue> = { ...service[name] }
      const places = new Map(Object.keys(wordsOf(main, name)).map(word => [word, main.file]))
      for (const source of others) {
        for (const [word, meaning] of Object.entries(wordsOf(source, name))) {
          const known = Object.hasOwn(words, word) ? words[word] : undefined
          if (known === undefined) {
            words[word] = meaning
            places.set(word, source.file)
          } else if (effectOf(known) !== effectOf(meaning)) {
            clashes.push(
              report(
                source,
                'M422',
                [name, word],
                `\`${word}\` means something else in ${places.get(word) ?? 'the framework'}.`,
                { on: 'key', hint: 'Declare it with the same values, or choose another word.' }
              )
            )
          }
        }
      }
      return [name, words]
    })
  )
  return { joined, clashes }
}

const declaresService = ({ value }: SourceFile): boolean => isObject(value) && Object.hasOwn(value, 'id')

/** Returns the names of the fields that are not vocabularies. These settings are taken from the main file only. */
const settingsOf = ({ value }: SourceFile): readonly string[] =>
  Object.keys(value as ServiceFile).filter(name => !vocabularies.some(words => words === name))

/**
 * Returns the service of the first `service.yaml` that has an `id`, with the words of all files. If two roots declare a
 * word, its values must be the same in both (M422); its explanation may differ, and the first one is kept. A root
 * without an `id` may only add words (M429). A whole service may be joined to another one; a note then names its
 * settings that are not used.
 */
export function joinServices(sources: readonly SourceFile[], folder: string): JoinedService {
  const main = sources.find(declaresService) ?? sources[0]
  if (main === undefined) {
    return {
      service: undefined,
      source: undefined,
      diagnostics: [
        reportFile(
          folder,
          'M423',
          'No root has `manifests/service.yaml`.',
          'Write one: it says which service this is, and its words for rights and freshness.'
        )
      ],
      notes: []
    }
  }
  const wrong = sources.flatMap(source =>
    check(source, source === main || declaresService(source) ? ServiceSchema : AddedWordsSchema)
  )
  if (wrong.length > 0) return { service: undefined, source: main, diagnostics: wrong, notes: [] }
  const others = sources.filter(source => source !== main)
  const service = serviceOf(main.value as ServiceFile)
  const { joined, clashes } = joinWords(service, main, others)
  const [guests, additions] = [others.filter(declaresService), others.filter(source => !declaresService(source))]
  const unused = additions.flatMap(source =>
    settingsOf(source).map(name =>
      report(source, 'M429', [name], `\`${name}\` is not used: ${main.file} says which service this is.`, {
        on: 'key',
        hint: 'Declare it there, or leave it out.'
      })
    )
  )
  return {
    service: { ...service, ...joined },
    source: main,
    diagnostics: [...sources.flatMap(checkOwnWords), ...clashes, ...unused],
    notes: guests.map(
      source =>
        `${source.file} is joined to the service of ${main.file}. Only its words are used, not ${quotedList(settingsOf(source))}.`
    )
  }
}

import type { DiagnosticCode } from '../diagnostics/catalog.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { report, type SourceFile } from '../source/report.ts'
import { formId, type HandlerShape } from '../manifest/kind.ts'
import type { Service } from '../manifest/service.ts'
import type { CorpusRead, Draft } from './draft.ts'
import { joinDictionaries } from './languages.ts'
import type { ReadRoot } from './read-root.ts'
import { standardRoot } from './registry.ts'
import { repeatedHandler } from './rules/handlers.ts'

type Named<T> = Readonly<{ name: string; value: T; file: string; report: (other: string) => Diagnostic }>

/** Maps each name to the first item that has it. For each later item with the same name, `clashes` has a diagnostic. */
function byName<T>(items: readonly Named<T>[]): { map: Map<string, T>; clashes: Diagnostic[] } {
  const first = new Map<string, Named<T>>()
  const clashes: Diagnostic[] = []
  for (const item of items) {
    const other = first.get(item.name)
    if (other === undefined) first.set(item.name, item)
    else clashes.push(item.report(other.file))
  }
  return { map: new Map([...first].map(([name, { value }]) => [name, value])), clashes }
}

const named = <T>(name: string, value: T, source: SourceFile, code: DiagnosticCode, noun: string): Named<T> => ({
  name,
  value,
  file: source.file,
  report: other =>
    report(source, code, [], `The ${noun} \`${name}\` is already declared in ${other}.`, {
      hint: 'Rename one of them.'
    })
})

/** Returns the corpora that the services and the handlers of a root declare to read. */
function readsOf({ root: { reads, handlers, handlerFiles } }: ReadRoot): CorpusRead[] {
  const ofHandlers = Array.from(handlers, ([id, { corpora = {} }]) => ({ file: handlerFiles.get(id) ?? id, corpora }))
  return [...(reads === undefined ? [] : [reads]), ...ofHandlers].flatMap(({ file, corpora }) =>
    Object.entries(corpora).map(([corpus, entry]) => ({ file, corpus, entry }))
  )
}

/** Returns the handlers of a root; the forms of a page come after the page. */
const handlersOf = ({ root: { handlers, handlerFiles } }: ReadRoot): Named<HandlerShape>[] =>
  [...handlers].flatMap(([page, shape]) => {
    const file = handlerFiles.get(page) ?? page
    const named = (name: string, value: HandlerShape): Named<HandlerShape> => ({
      name,
      value,
      file,
      report: other => repeatedHandler(file, name, other)
    })
    return [
      named(page, shape),
      ...Object.entries(shape.forms ?? {}).map(([name, form]) => named(formId(page, name), form))
    ]
  })

/** Joins all roots into one draft. Reports an id or a name that occurs in it twice (M421, M424). */
export function joinRoots(
  roots: readonly ReadRoot[],
  service: Service,
  serviceSource: SourceFile
): { draft: Draft; diagnostics: Diagnostic[] } {
  const manifests = byName(
    roots.flatMap(root => root.manifests.map(file => named(file.id, file, file.source, 'M421', 'surface')))
  )
  const corpora = byName(
    roots.flatMap(root =>
      root.content.corpora.map(one => named(one.corpus.name, one, one.declaration, 'M424', 'corpus'))
    )
  )
  const documents = byName(
    roots.flatMap(root =>
      root.content.documents.map(one => named(one.document.name, one, one.source, 'M424', 'document'))
    )
  )
  const handlers = byName(roots.flatMap(handlersOf))
  const handlerFiles = new Map(roots.flatMap(({ root }) => [...root.handlerFiles]))
  // A file that could not be read may hold more handlers than the one with its id.
  const unread = [...handlerFiles.keys()].filter(id => !handlers.map.has(id))
  const mayBeUnread = (id: string): boolean => unread.some(file => ['.', '/'].some(end => id.startsWith(file + end)))
  const ids = roots.flatMap(root => root.ids)
  return {
    draft: {
      service,
      serviceSource,
      services: roots.flatMap(root => root.service ?? []),
      manifests: [...manifests.map.values()],
      corpora: corpora.map,
      documents: documents.map,
      handlers: handlers.map,
      handlerFiles,
      extensions: roots.flatMap(({ root }) => root.extensions ?? []),
      translations: {
        own: roots.flatMap(({ root, translations }) => (root.name === standardRoot ? [] : translations)),
        joined: joinDictionaries(roots)
      },
      reads: roots.flatMap(readsOf),
      assets: roots.flatMap(({ assets }) => assets),
      recorded: roots.findLast(({ names }) => names !== undefined)?.names,
      names: {
        surfaces: new Set(ids),
        corpora: new Set(roots.flatMap(root => root.content.corpusNames)),
        documents: new Set(roots.flatMap(root => root.content.documentNames)),
        handlers: new Set([...handlers.map.keys(), ...handlerFiles.keys(), ...ids.filter(mayBeUnread)])
      }
    },
    diagnostics: [...manifests.clashes, ...corpora.clashes, ...documents.clashes, ...handlers.clashes]
  }
}

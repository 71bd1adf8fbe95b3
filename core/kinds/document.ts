import { Type } from '../canonical/type.ts'
import { humanise } from '../format/format.ts'
import { ensureDefined } from '../manifest/kind.ts'
import { Name, OnlyGet, type ManifestWith } from '../manifest/manifest.ts'
import { checkPlaceholders } from '../manifest/rules.ts'
import type { Echoes, Surface } from '../manifest/surface.ts'
import type { ContentSource, KindDependencies } from '../plan/kind.ts'
import { report } from '../source/report.ts'
import { checkEcho, EchoField, echoing, echoInput, echoOf, withEchoed } from './echo.ts'
import { declaredContracts } from './fields.ts'
import { defineKind } from './kind.ts'
import { defaultPath, nameOf, withoutPlaceholders } from './scaffold.ts'

type DocumentAnswer = Readonly<{ document: string; echo?: Echoes }>

export function compileDocument(
  surface: Surface<DocumentAnswer>,
  { documents }: KindDependencies<'documents'>
): ContentSource {
  const { document, echo } = surface.answer
  const data = documents.get(document)?.value ?? {}
  const result = { status: 200, data }
  return echo === undefined ? { when: 'pure', answer: () => result } : echoing(result, data, echo)
}

const fields = {
  method: Type.Optional(OnlyGet),
  document: {
    ...Name,
    examples: ['opening-hours'],
    description: 'Name of the document: its file below `corpora/documents/`.'
  },
  echo: EchoField
}

const fileOf = (name: string) => ({
  [`corpora/documents/${name}.yaml`]: `# The answer, as it stands.\n'@kind': ${name}\ntitle: ${humanise(name)}\ntext: Replace it with your own.\n`
})

export const document = defineKind<ManifestWith<typeof fields>, DocumentAnswer, 'documents'>({
  name: 'document',
  meaning: 'One fixed document.',
  reaches: ['documents'],
  fields,
  holds: ['value', 'words', 'object'],
  contracts: declaredContracts,
  check: file => [...checkEcho(file, file.manifest.echo)],
  checkPath: file =>
    checkPlaceholders(
      file,
      Object.keys(file.manifest.echo ?? {}),
      'A `document` surface has no placeholders but those that it echoes.'
    ),
  checkFit: ({ source, manifest: { document, echo } }, { documents }) =>
    Object.keys(echo ?? {})
      .filter(name => Object.hasOwn(documents.get(document)?.value ?? {}, name))
      .map(name =>
        report(source, 'M320', ['echo', name], `The document \`${document}\` has a member \`${name}\` already.`, {
          on: 'key',
          hint: 'Choose another name, or remove the member.'
        })
      ),
  refersTo: ({ manifest }) => [{ to: 'documents', name: manifest.document, at: ['document'], answersWith: true }],
  answer: ({ manifest }) => ({ document: manifest.document, ...echoOf(manifest.echo) }),
  input: ({ answer, placeholders }) => echoInput(answer.echo, placeholders),
  output: ({ answer: { document, echo }, input }, { documents }) =>
    withEchoed(ensureDefined(documents.get(document), `document ${document}`).schema, echo, input.params),
  compile: compileDocument,
  scaffold: ({ id, path = defaultPath(id), document: name = nameOf(id) }, { registry }) => ({
    path: withoutPlaceholders('document', path),
    provenance: 'static',
    fields: { document: name },
    files: registry.documents.has(name) ? {} : fileOf(name)
  })
})

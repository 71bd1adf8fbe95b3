import { frozen } from '../canonical/frozen.ts'
import { isObject, type JsonSchema } from '../canonical/json.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { compileSchema } from '../schema/compile.ts'
import { inferSchema } from '../schema/infer.ts'
import { madeOf, type Compiled, type KeptForm } from '../source/compiled.ts'
import type { FolderFile } from '../source/read-folder.ts'
import { knownYaml, readYaml } from '../source/read-yaml.ts'
import type { Reuse } from '../source/reuse.ts'
import { reportIssues } from '../source/report-issues.ts'
import { report, reportFile } from '../source/report.ts'
import { checkSchemaFile } from './check-schema-file.ts'
import type { FixedDocument } from './document.ts'
import type { LoadedDocument } from './loaded.ts'

type Made = Readonly<{ loaded: LoadedDocument | undefined; diagnostics: readonly Diagnostic[] }>

function loadDocument(root: string, name: string, file: FolderFile, schemaFile: FolderFile | undefined): Made {
  const source = readYaml(file.path, file.bytes)
  const { value } = source
  const declared = schemaFile === undefined ? undefined : checkSchemaFile(readYaml(schemaFile.path, schemaFile.bytes))
  const wrong = [
    ...source.diagnostics,
    ...(declared?.diagnostics ?? []),
    ...(value === undefined || isObject(value)
      ? []
      : [report(source, 'M210', [], 'A document is a mapping of fields.')])
  ]
  if (wrong.length > 0 || !isObject(value)) return { loaded: undefined, diagnostics: wrong }
  const schema: JsonSchema = declared?.schema ?? inferSchema(value)
  const misfits =
    declared === undefined
      ? []
      : reportIssues(source, compileSchema(schema)(value), { noun: 'the document', code: () => 'C201' })
  return {
    loaded: misfits.length > 0 ? undefined : { document: { name, value, schema }, root, source },
    diagnostics: misfits
  }
}

/** Returns how a build stores a document without mistakes. */
const documentForm = (root: string, file: FolderFile): KeptForm<Made, FixedDocument> => ({
  pack: ({ loaded, diagnostics }) => (diagnostics.length > 0 ? undefined : loaded?.document),
  unpack: packed => ({
    loaded: { document: frozen(packed), root, source: knownYaml(file.path, file.bytes, packed.value) },
    diagnostics: []
  })
})

/**
 * Loads `corpora/documents/<name>.yaml`, each with the schema in `<name>.schema.yaml` or one inferred from its value.
 */
export function loadDocuments(
  root: string,
  files: ReadonlyMap<string, FolderFile>,
  reuse: Reuse,
  compiled?: Compiled
): { names: string[]; loaded: LoadedDocument[]; diagnostics: Diagnostic[] } {
  const names: string[] = []
  const loaded: LoadedDocument[] = []
  const diagnostics: Diagnostic[] = []
  for (const [fileName, file] of files) {
    const schemaOf = /^([a-z0-9-]+)\.schema\.yaml$/.exec(fileName)?.[1]
    const name = /^([a-z][a-z0-9-]*)\.yaml$/.exec(fileName)?.[1]
    if (name !== undefined) {
      names.push(name)
      const schema = files.get(`${name}.schema.yaml`)
      const parts = [file.bytes, schema?.bytes]
      const one = reuse.of(file.path, parts, () =>
        madeOf(compiled, `documents/${name}`, parts, documentForm(root, file), () =>
          loadDocument(root, name, file, schema)
        )
      )
      diagnostics.push(...one.diagnostics)
      if (one.loaded !== undefined) loaded.push(one.loaded)
    } else if (schemaOf === undefined || !files.has(`${schemaOf}.yaml`)) {
      diagnostics.push(
        reportFile(
          file.path,
          'C105',
          'This file would not be read.',
          'A document is `<name>.yaml`, its schema `<name>.schema.yaml`.'
        )
      )
    }
  }
  return { names, loaded, diagnostics }
}

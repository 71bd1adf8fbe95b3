import { frozen } from '../canonical/frozen.ts'
import type { JsonValue } from '../canonical/json.ts'
import type { KeptForm } from '../source/compiled.ts'
import type { FolderFile } from '../source/read-folder.ts'
import { knownYaml } from '../source/read-yaml.ts'
import type { Pointer } from '../source/source-file.ts'
import type { Corpus } from './corpus.ts'
import type { loadCorpus } from './load-corpus.ts'
import type { Reference } from './loaded.ts'

type Packed = Readonly<{
  corpus: Corpus
  declaration: JsonValue | undefined
  schema: JsonValue | undefined
  /** `name` is the name of the file within the corpus folder. */
  references: readonly (Pick<Reference, 'corpus' | 'key' | 'pointer'> & Readonly<{ name: string }>)[]
  refersTo: readonly Readonly<{ corpus: string; pointer: Pointer }>[]
}>

/**
 * Returns how a build stores a corpus without mistakes. The places of its references are not stored; when one is
 * needed, the corpus is read again.
 */
export function corpusForm(
  root: string,
  files: ReadonlyMap<string, FolderFile>
): KeptForm<ReturnType<typeof loadCorpus>, Packed> {
  const known = (name: string, value: JsonValue | undefined): ReturnType<typeof knownYaml> =>
    knownYaml(files.get(name)?.path ?? name, files.get(name)?.bytes ?? new Uint8Array(), value)
  return {
    pack({ loaded, diagnostics }) {
      if (loaded === undefined || diagnostics.length > 0) return undefined
      const names = new Map([...files].map(([name, { path }]) => [path, name]))
      return {
        corpus: loaded.corpus,
        declaration: loaded.declaration.value,
        schema: loaded.schemaSource.value,
        references: loaded.references.map(({ corpus, key, pointer, file }) => ({
          corpus,
          key,
          pointer,
          name: names.get(file) ?? ''
        })),
        refersTo: loaded.refersTo.map(({ corpus, place: { pointer } }) => ({ corpus, pointer }))
      }
    },
    unpack({ corpus, declaration, schema, references, refersTo }, again) {
      const placeAgain = (at: number): ReturnType<Reference['place']> => {
        const reference = again().loaded?.references[at]
        if (reference === undefined) throw new Error(`The corpus ${corpus.name} is another when it is read again.`)
        return reference.place()
      }
      const schemaSource = known('schema.yaml', frozen(schema))
      return {
        loaded: {
          corpus: frozen(corpus),
          root,
          declaration: known('corpus.yaml', frozen(declaration)),
          schemaSource,
          references: references.map(({ name, ...one }, at) => ({
            ...one,
            file: files.get(name)?.path ?? name,
            place: () => placeAgain(at)
          })),
          refersTo: refersTo.map(({ corpus: to, pointer }) => ({
            corpus: to,
            place: { source: schemaSource, pointer }
          }))
        },
        diagnostics: []
      }
    }
  }
}

import type { SourceFile } from '../source/source-file.ts'
import type { Kind } from './kind.ts'
import type { Manifest } from './schema.ts'

/** A manifest that matches the schema of its kind, with the file that it was read from. */
export type ManifestFile<M extends Manifest = Manifest> = Readonly<{
  /** Path below `manifests/` without the ending. */
  id: string
  /** Name of the root that the manifest belongs to. */
  root: string
  source: SourceFile
  kind: Kind
  manifest: M
  /** Of a form: the id of the page whose manifest declares it. */
  formOf?: string
}>

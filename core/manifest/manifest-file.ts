import type { SourceFile } from '../source/source-file.ts'
import type { Kind } from './kind.ts'
import type { Manifest } from './schema.ts'

/** A manifest of the right shape, with the file it was read from. */
export type ManifestFile<M extends Manifest = Manifest> = Readonly<{
  /** Path below `manifests/` without the ending. */
  id: string
  /** Name of the root it belongs to. */
  root: string
  source: SourceFile
  kind: Kind
  manifest: M
  /** Of a form: the id of the page whose manifest declares it. */
  formOf?: string
}>

import type { ManifestOf } from './schema.ts'

/** The handler behind a surface: named in the manifest, or called as the surface. */
export const handlerIdOf = (surfaceId: string, manifest: ManifestOf<'handler'>): string => manifest.handler ?? surfaceId

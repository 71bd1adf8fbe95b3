import { Type } from '../canonical/type.ts'
import { notFound } from '../handler/errors.ts'
import { defineDocument } from './define.ts'

/**
 * Serves the files that pages load. Their names contain a hash of the content, so an answer never changes (RFC 8246).
 */
export const assets = defineDocument(Type.String())({
  input: { params: Type.Object({ file: Type.String({ minLength: 1, maxLength: 160 }) }) },
  build: (registry, { params }) => {
    const asset = [...registry.assets.values()].find(({ file }) => file === params['file'])
    if (asset === undefined) throw notFound('file', String(params['file']))
    return asset.text
  },
  file: (registry, { params }) => ({
    mediaType: [...registry.assets.values()].find(({ file }) => file === params['file'])?.mediaType ?? '',
    control: 'public, max-age=31536000, immutable'
  })
})

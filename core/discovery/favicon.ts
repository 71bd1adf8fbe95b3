import { Type } from '../canonical/type.ts'
import { notFound } from '../handler/errors.ts'
import { defineDocument } from './define.ts'

/**
 * Serves the asset `icon.svg` as the favicon. Browsers use the media type, not the file extension in the path (MIME
 * Sniffing §4.1).
 */
export const favicon = defineDocument(Type.String())({
  build: ({ assets }) => {
    const icon = assets.get('icon.svg')
    if (icon === undefined) throw notFound('file', 'icon.svg')
    return icon.text
  },
  file: ({ assets }) => ({ mediaType: assets.get('icon.svg')?.mediaType ?? '', control: 'public, max-age=86400' })
})

import { Type } from '../canonical/type.ts'
import { notFound } from '../handler/errors.ts'
import { defineDocument } from './define.ts'

/**
 * The file `icon.svg` of the pages. Browsers go by the media type, not by the ending of the path (MIME Sniffing §4.1).
 */
export const favicon = defineDocument(Type.String())({
  build: ({ assets }) => {
    const icon = assets.get('icon.svg')
    if (icon === undefined) throw notFound('file', 'icon.svg')
    return icon.text
  },
  file: ({ assets }) => ({ mediaType: assets.get('icon.svg')?.mediaType ?? '', control: 'public, max-age=86400' })
})

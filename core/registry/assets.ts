import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { sha256Hex } from '../canonical/canonical-json.ts'
import type { FolderFile } from '../source/read-folder.ts'

/** A file that pages use. `file`: its name with the hash of its content, so that it may be kept for ever. */
export type Asset = Readonly<{ file: string; mediaType: string; text: string }>

/** Folder of a root with the files that its pages use: style sheets, scripts and pictures. */
export const assetsFolder = 'surfaces/assets'

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8'
}

/** The style of elements that all pages begin with: https://picocss.com/docs/classless. */
const readBase = (): string =>
  readFileSync(createRequire(import.meta.url).resolve('@picocss/pico/css/pico.classless.min.css'), 'utf8')
let base: string | undefined

/**
 * The served files by their names, a later root before an earlier one. All style sheets are one, `style.css`: the base,
 * then those of each root in order. Without a style sheet there is none.
 */
export function joinAssets(roots: readonly (readonly FolderFile[])[]): ReadonlyMap<string, Asset> {
  const texts = new Map<string, string>()
  for (const { name, bytes } of roots.flat()) {
    const text = Buffer.from(bytes).toString()
    if (extname(name) === '.css') texts.set('style.css', `${texts.get('style.css') ?? (base ??= readBase())}\n${text}`)
    else if (mediaTypes[extname(name)] !== undefined) texts.set(name, text)
  }
  return new Map(
    [...texts].map(([name, text]) => {
      const ending = extname(name)
      return [
        name,
        {
          file: `${name.slice(0, -ending.length)}.${sha256Hex(text).slice(0, 16)}${ending}`,
          mediaType: mediaTypes[ending] ?? '',
          text
        }
      ]
    })
  )
}

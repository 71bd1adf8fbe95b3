import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { sha256Hex } from '../canonical/json.ts'
import type { FolderFile } from '../source/read-folder.ts'

/** A file that pages load. The name `file` contains a hash of the content, so caches may keep it forever. */
export type Asset = Readonly<{ file: string; mediaType: string; text: string }>

/** Folder of a root with the style sheets, scripts and pictures of its pages. */
export const assetsFolder = 'surfaces/assets'

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8'
}

/** Reads the base style sheet of all pages: https://picocss.com/docs/classless. */
const readBase = (): string =>
  readFileSync(createRequire(import.meta.url).resolve('@picocss/pico/css/pico.classless.min.css'), 'utf8')
let base: string | undefined

/**
 * Returns the assets by file name; a file of a later root replaces one of an earlier root. The base and all style
 * sheets of the roots are joined into one `style.css`.
 */
export function joinAssets(roots: readonly (readonly FolderFile[])[]): ReadonlyMap<string, Asset> {
  const texts = new Map<string, string>()
  for (const { name, bytes } of roots.flat()) {
    const text = Buffer.from(bytes).toString()
    if (extname(name) === '.css') texts.set('style.css', `${texts.get('style.css') ?? (base ??= readBase())}\n${text}`)
    else if (mediaTypes[extname(name)] !== undefined) texts.set(name, text)
  }
  const assetOf = (name: string, text: string): Asset => {
    const ending = extname(name)
    const file = `${name.slice(0, -ending.length)}.${sha256Hex(text).slice(0, 16)}${ending}`
    return { file, mediaType: mediaTypes[ending] ?? '', text }
  }
  return new Map(Array.from(texts, ([name, text]) => [name, assetOf(name, text)]))
}

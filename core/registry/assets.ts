import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { sha256Hex } from '../canonical/json.ts'
import type { FolderFile } from '../source/read-folder.ts'

/** A file that pages load. The name `file` contains a hash of the text, so caches may keep the file forever. */
export type Asset = Readonly<{ file: string; mediaType: string; text: string }>

/** Folder of a root in which the style sheets, scripts and pictures of its pages are. */
export const assetsFolder = 'surfaces/assets'

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8'
}

/** Reads the style sheet on which all pages are based: https://picocss.com/docs/classless. */
const readBase = (): string =>
  readFileSync(createRequire(import.meta.url).resolve('@picocss/pico/css/pico.classless.min.css'), 'utf8')
let base: string | undefined

/**
 * Returns the assets by file name without the hash. All style sheets of the roots follow the base in one `style.css`;
 * any other file replaces a file of the same name in an earlier root.
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

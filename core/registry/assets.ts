import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { sha256Hex } from '../canonical/json.ts'
import type { Theme } from '../manifest/theme.ts'
import type { FolderFile } from '../source/read-folder.ts'
import type { Registry } from './registry.ts'
import { themeSheet } from './theme-sheet.ts'

/**
 * A file that pages load. The name `file` contains a hash of the content, so caches may keep the file forever. The text
 * of a binary file holds one byte in each character.
 */
export type Asset = Readonly<{ file: string; mediaType: string; text: string; isBinary?: true }>

/** Folder of a root in which the style sheets, scripts, pictures and fonts of its pages are. */
export const assetsFolder = 'surfaces/assets'

/** Returns the icon of a service in browsers. */
export const iconOf = ({ assets, service }: Pick<Registry, 'assets' | 'service'>): Asset | undefined =>
  assets.get(service.theme.icon ?? 'icon.svg')

const textTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8'
}
const binaryTypes: Readonly<Record<string, string>> = { '.png': 'image/png', '.woff2': 'font/woff2' }

/** Reads the style sheet on which all pages are based: https://picocss.com/docs/classless. */
const readBase = (): string =>
  readFileSync(createRequire(import.meta.url).resolve('@picocss/pico/css/pico.classless.min.css'), 'utf8')
let base: string | undefined

function assetOf(name: string, text: string): Asset {
  const ending = extname(name)
  const file = `${name.slice(0, -ending.length)}.${sha256Hex(text).slice(0, 16)}${ending}`
  const mediaType = textTypes[ending]
  return mediaType === undefined
    ? { file, mediaType: binaryTypes[ending] ?? '', text, isBinary: true }
    : { file, mediaType, text }
}

/**
 * Returns the assets by file name without the hash. The base, the style sheets of the first root, which is that of the
 * framework, the theme and the style sheets of the other roots are one `style.css`; any other file replaces a file of
 * the same name in an earlier root.
 */
export function joinAssets(
  [first = [], ...others]: readonly (readonly FolderFile[])[],
  theme: Theme
): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>()
  const textOf = ({ bytes }: FolderFile, encoding: 'utf8' | 'latin1'): string => Buffer.from(bytes).toString(encoding)
  for (const file of [first, ...others].flat()) {
    const ending = extname(file.name)
    const encoding = binaryTypes[ending] === undefined ? 'utf8' : 'latin1'
    if (ending !== '.css' && (encoding === 'latin1' || textTypes[ending] !== undefined))
      assets.set(file.name, assetOf(file.name, textOf(file, encoding)))
  }
  const sheetsOf = (files: readonly FolderFile[]): string[] =>
    files.filter(({ name }) => extname(name) === '.css').map(file => textOf(file, 'utf8'))
  const own = [...sheetsOf(first), ...themeSheet(theme, name => assets.get(name)?.file), ...sheetsOf(others.flat())]
  if (own.length > 0) assets.set('style.css', assetOf('style.css', [(base ??= readBase()), ...own].join('\n')))
  return assets
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../../bin/roots.ts'
import { packageFolder as installedPackage } from '../../surfaces/import/reading/files.ts'
import type { Source } from '../../surfaces/import/source.ts'

const folder = process.env['PANTRY_CARDS'] ?? join(packageFolder, '..', 'shared', 'cards')

/**
 * Folder with the files of the sources that are declared for a folder, or `undefined`: they are no part of the project.
 */
export const cardFolder = existsSync(folder) ? folder : undefined

/** What a test says that needs them. */
export const withoutCards =
  cardFolder === undefined ? 'needs card files that do not come with Pantry (PANTRY_CARDS names their folder)' : false

/** Returns the folder with the files of a declared source, which need not exist. */
export const filesOf = ({ id, where, upstream }: Pick<Source, 'id' | 'where' | 'upstream'>): string =>
  where === 'package' ? installedPackage(upstream.package ?? '', import.meta.url) : join(cardFolder ?? '', id)

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../../bin/roots.ts'

const folder = process.env['PANTRY_CARDS'] ?? join(packageFolder, '..', 'shared', 'cards')

/**
 * Folder with the files of the sources that are declared for a folder, or `undefined`: they are no part of the project.
 */
export const cardFolder = existsSync(folder) ? folder : undefined

/** What a test says that needs them. */
export const withoutCards =
  cardFolder === undefined ? 'needs card files that do not come with Pantry (PANTRY_CARDS names their folder)' : false

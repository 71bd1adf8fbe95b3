/**
 * A process that imports the `plain` source: `run-import <database url> <folder>`. Prints how far it is, a line at a
 * time.
 */
import { silent } from '../../../core/database/connection.ts'
import { openDatabase } from '../../../core/database/database.ts'
import { importSource } from '../../../surfaces/importer.ts'
import { plain } from './rows-on-disk.ts'

const [url = '', folder = ''] = process.argv.slice(2)
const database = await openDatabase({ url, dataDir: '', log: silent, checkRows: true, isPatient: true })
await importSource(database, plain(), {
  folder,
  progress: ({ fraction }) => {
    process.stdout.write(`${fraction}\n`)
  }
})
await database.close()

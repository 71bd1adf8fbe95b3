import { silent } from '../../../core/database/connection.ts'
import { openDatabase } from '../../../core/database/database.ts'
import { Chain, OwnFiles } from '../../../surfaces/proofs/chain.ts'

const [url = '', folder = ''] = process.argv.slice(2)

/** Ends as by kill -9, after a batch was stored and before its head is remembered. */
class Dying extends OwnFiles {
  override async remember(): Promise<void> {
    process.kill(process.pid, 'SIGKILL')
    await new Promise(() => undefined)
  }
}

const database = await openDatabase({ url, dataDir: '', log: silent, isPatient: true })
await new Chain(database, new Dying(folder), { error: () => undefined }).advance()

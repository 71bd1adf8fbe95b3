import { silent } from '../../../core/database/connection.ts'
import { openDatabase } from '../../../core/database/database.ts'

const [url = ''] = process.argv.slice(2)

// Ends as by kill -9, after a request with a key has written and before it is answered.
const database = await openDatabase({ url, dataDir: '', log: silent, isPatient: true })
await database.once({ id: 'killed', digest: 'd', isAnonymous: true, seconds: 60 }, async () => {
  await database.change(async transaction => {
    await transaction('notes').insert({ text: 'first' })
  })
  process.kill(process.pid, 'SIGKILL')
  return await new Promise<never>(() => undefined)
})

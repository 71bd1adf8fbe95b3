/**
 * Replaces a Pantry process: `hold-embedded <data folder>` starts the server, prints its process id and where it
 * listens, and stays.
 */
import { silent } from '../../core/database/connection.ts'
import { startEmbedded } from '../../core/database/embedded.ts'

const server = await startEmbedded({ dataDir: process.argv[2] ?? '', log: silent })
process.stdout.write(`${JSON.stringify({ serverPid: server.pid(), connection: server.connection })}\n`)

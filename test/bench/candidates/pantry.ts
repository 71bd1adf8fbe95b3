/** Pantry as it is served. */
import { readConfig } from '../../../bin/config.ts'
import { serve } from '../../../bin/serve.ts'
import { sample } from './common.ts'

const config = { ...readConfig({ PORT: '0', LOG_LEVEL: 'error', DATABASE_URL: sample.databaseUrl }), baseUrl: 'http://127.0.0.1:8080' }
const running = await serve({ config, roots: [], watch: false, report: () => {}, stdout: process.stderr, stderr: process.stderr })
process.send?.({ port: Number(new URL(running.url).port) })
process.on('message', message => { if (message === 'cpu') process.send?.({ cpu: process.cpuUsage() }) })
process.on('disconnect', () => process.exit(0))

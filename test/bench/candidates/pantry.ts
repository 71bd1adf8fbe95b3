/** Pantry as it is served; with a second root where the bench names one. */
import { readConfig } from '../../../bin/config.ts'
import { serve } from '../../../bin/workers/serve.ts'
import { sample } from './common.ts'

const config = {
  ...readConfig({ PORT: '0', LOG_LEVEL: 'error', DATABASE_URL: sample.databaseUrl }),
  baseUrl: 'http://127.0.0.1:8080'
}
const second = process.env['BENCH_ROOT'] ?? ''
const running = await serve({
  config,
  roots: second === '' ? [] : ['.', second],
  watch: false,
  report: () => {},
  stdout: process.stderr,
  stderr: process.stderr
})
process.send?.({ port: Number(new URL(running.url).port) })
process.on('disconnect', () => process.exit(0))

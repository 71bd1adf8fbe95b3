import type { CommandDefinition } from '../command.ts'
import { backup } from './backup.ts'
import { build } from './build.ts'
import { client } from './client.ts'
import { completion } from './completion.ts'
import { config } from './config.ts'
import { dev } from './dev.ts'
import { diff } from './diff.ts'
import { doctor } from './doctor.ts'
import { explain } from './explain.ts'
import { get } from './get.ts'
import { init } from './init.ts'
import { job } from './job.ts'
import { list } from './list.ts'
import { load } from './load.ts'
import { migrate } from './migrate.ts'
import { newCommand } from './new.ts'
import { reference } from './reference.ts'
import { restore } from './restore.ts'
import { routes } from './routes.ts'
import { schema } from './schema.ts'
import { serve } from './serve.ts'
import { show } from './show.ts'
import { tableCommand } from './table.ts'
import { test } from './test.ts'
import { trace } from './trace.ts'
import { webhook } from './webhook.ts'
import { translations } from './translations.ts'
import { validate } from './validate.ts'

/** The built-in commands in the order of the help, which lists them by their groups. */
export const commands: readonly CommandDefinition[] = [
  init,
  validate,
  test,
  list,
  show,
  explain,
  newCommand,
  tableCommand,
  translations,
  schema,
  reference,
  get,
  trace,
  routes,
  diff,
  dev,
  serve,
  job,
  webhook,
  migrate,
  load,
  backup,
  restore,
  doctor,
  config,
  build,
  client,
  completion
]

import { relative } from 'node:path'
import { webhookProblems, type WebhookTypes } from '../core/database/webhooks/types.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { importProblem } from '../core/registry/rules/handlers.ts'
import type { RootModules } from './root-modules.ts'

type Found = Readonly<{ webhooks: WebhookTypes | undefined; problems: readonly Diagnostic[] }>

const none: Found = { webhooks: undefined, problems: [] }

const importHint = 'Importing the types of webhooks has no side effect.'

/** Loads the types of webhooks of a root, `surfaces/webhooks`. A file that declares none is a problem. */
export async function webhooksOf(code: RootModules | undefined): Promise<Found> {
  const module = code?.modules.get('webhooks')
  if (module === undefined) return none
  const shown = relative(process.cwd(), module.file)
  try {
    const { default: webhooks } = (await module.load()) as Readonly<{ default?: WebhookTypes }>
    const problems = webhookProblems(shown, webhooks)
    return problems.length > 0 ? { ...none, problems } : { webhooks, problems }
  } catch (error) {
    return { ...none, problems: [importProblem(shown, error, importHint)] }
  }
}

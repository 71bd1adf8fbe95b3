import { relative } from 'node:path'
import { jobProblem, type NamedJob } from '../core/database/jobs/job.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { importProblem } from '../core/registry/rules/handlers.ts'
import { notBuilt } from './built-sources.ts'
import { codeFiles, type RootModules } from './root-modules.ts'

const importHint = 'Importing a job has no side effect; it gets the services when it runs.'

/** Loads the jobs of a root, `surfaces/jobs/<name>`. A file that is no job is a problem. */
export async function jobsOf(
  folder: string,
  code: RootModules | undefined
): Promise<Readonly<{ jobs: readonly NamedJob[]; problems: readonly Diagnostic[] }>> {
  const jobs: NamedJob[] = []
  const problems: Diagnostic[] = []
  for (const { id: name, written, runnable } of codeFiles('jobs', folder, code)) {
    const shown = relative(process.cwd(), written)
    if (runnable === undefined) {
      problems.push(notBuilt(written, folder))
      continue
    }
    try {
      const { default: job } = (await runnable.load()) as { default?: NamedJob['job'] }
      const problem = jobProblem(shown, name, job)
      if (problem !== undefined) problems.push(problem)
      else if (job !== undefined) jobs.push({ name, job })
    } catch (error) {
      problems.push(importProblem(shown, error, importHint))
    }
  }
  return { jobs, problems }
}

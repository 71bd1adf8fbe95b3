import type { Migration, MigrationSteps } from './migrations.ts'

/**
 * Returns a step of the schema that belongs to the framework and not to a root: its name has that of the framework in
 * front, like those of a package.
 */
export const frameworkStep = (name: string, steps: MigrationSteps): Migration => ({
  name: `pantry/${name}`,
  load: () => Promise.resolve(steps)
})

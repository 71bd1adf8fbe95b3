import type { Corpus } from 'pantry/handler'
import { readProject } from './project/read-project.ts'

export const openHospitality = (corpora: ReadonlyMap<string, Corpus>) => ({
  services: {
    corpora,
    /** The texts of the project for readers of its files. */
    project: readProject()
  }
})

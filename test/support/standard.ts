import { loadRoots } from '../../bin/roots.ts'
import { library } from './registry.ts'

const [loaded] = await loadRoots([library])
if (loaded === undefined) throw new Error('There is no standard root.')

/** The root that every service gets, with its code. */
export const standard = loaded

import type { Database } from 'pantry/database'
import { Reports } from './reports.ts'

/** Reports of what others wrote. */
export const openReports = (database: Database) => ({ services: { reports: new Reports(database) } })

import type { Database } from 'pantry/database'
import { Reports } from './reports.ts'

/** Opens the service for reports of other people's content. */
export const openReports = (database: Database) => ({ services: { reports: new Reports(database) } })

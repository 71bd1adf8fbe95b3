import type { None, RootServices, ServicesGiven } from 'pantry/handler'
import { keyCallers } from 'pantry/keys'
import type settingsRead from './settings.ts'

export default async function openServices({
  database,
  settings
}: ServicesGiven<None, typeof settingsRead>): Promise<RootServices> {
  return { services: { callers: keyCallers(await database(), settings.keyRequests) } }
}

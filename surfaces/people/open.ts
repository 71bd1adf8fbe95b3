import type { Health, ServiceLog, ServicesPart } from 'pantry/data'
import type { Database } from 'pantry/database'
import { Secrets } from '../common/secrets.ts'
import { replayJournal, lastActs } from './acts.ts'
import { compileMayLetIn, createCallers } from './callers.ts'
import { CardLists } from './card-lists.ts'
import { Keys } from './keys.ts'
import { Limits, Shares } from './limits.ts'
import { Mail, MailAddresses } from './mail.ts'
import { MailedCodes } from './mailed-codes.ts'
import { Organisations, Profiles } from './organisations.ts'
import { Parties } from './parties.ts'
import { Passkeys } from './passkeys.ts'
import { People } from './people.ts'
import { deleteExpired, exportOf } from './personal-data.ts'
import { Receipts } from './receipts.ts'
import { isSeeded } from './seed.ts'
import { Browsers, SignIn } from './sign-in.ts'
import type { AccountSettings } from './settings.ts'

async function healthOf({ knex }: Database): Promise<Health> {
  try {
    await knex('people').count()
    return { status: 'ok', detail: 'Sessions and keys can be read.' }
  } catch {
    return { status: 'down', detail: 'Sessions and keys cannot be read, so that nobody is let in who needs one.' }
  }
}

/** The configuration of sign-in and sign-up, with the version of the terms that a new account agrees to. */
type AccountOptions = Readonly<{
  settings: AccountSettings & Readonly<{ drawsADay: number }>
  name: string
  contact: string
  termsVersion: string
  log: ServiceLog
  dataDir: string
}>

const defaults: AccountOptions = {
  settings: { signUp: 'closed', drawsADay: 10_000 },
  name: '',
  contact: '',
  termsVersion: '',
  dataDir: '',
  log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
}

export function openAccounts(
  database: Database,
  baseUrl: string,
  { settings: { smtpUrl, mailFrom, signUp, drawsADay }, name, contact, termsVersion, log, dataDir } = defaults
) {
  const secrets = new Secrets(database)
  const browsers = new Browsers(secrets)
  const [signIn, keys] = [new SignIn(database, browsers), new Keys(database)]
  const prepare = async (): Promise<void> => {
    const ended = dataDir === '' ? 0 : await replayJournal(database, dataDir)
    if (ended > 0)
      log.warn({ subsystem: 'accounts', ended }, 'A backup brought back what was ended: it is ended again.')
  }
  const mayLetIn = compileMayLetIn(baseUrl, async () => await isSeeded(database))
  const mail = new Mail(smtpUrl, mailFrom ?? contact, log)
  const people = new People(database)
  const services = {
    people,
    signIn,
    browsers,
    shares: new Shares(database, drawsADay),
    passkeys: new Passkeys(database, secrets),
    keys,
    receipts: new Receipts(database),
    callers: createCallers(people, signIn, keys, new Limits(database), mayLetIn),
    acts: async (limit: number) => await lastActs(database, limit),
    deleteExpired: async (signal: AbortSignal) => {
      await deleteExpired(database, signal)
    },
    ownData: async (person: string) => await exportOf(database, person),
    mailedCodes: new MailedCodes(database, mail, name, browsers),
    mailAddresses: new MailAddresses(database),
    ways: { mail: mail.isSet, sign_up: signUp, terms_version: termsVersion }
  }
  return {
    services,
    prepare,
    health: { accounts: async () => await healthOf(database), mail: async () => await mail.health() },
    close: async () => {
      await mail.close()
    }
  } satisfies ServicesPart<unknown>
}

export const openCollectors = (database: Database) => ({
  services: {
    cardLists: new CardLists(database),
    profiles: new Profiles(database),
    organisations: new Organisations(database),
    parties: new Parties(database)
  }
})

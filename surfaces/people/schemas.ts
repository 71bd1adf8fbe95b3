import { closed, Count, nullable, Text, Texts, Type, type DataOf } from 'pantry/data'
import { idPattern } from '../common/ids.ts'
import { Act } from './acts.ts'
import { OwnOrganisation, Profile } from './collector-schemas.ts'
import { Key, OwnKey, scopes, tierNames } from './keys.ts'
import { MailAddress } from './mail.ts'
import { KnownOrganisation } from './organisations.ts'
import { Passkey } from './passkeys.ts'
import { Person } from './people.ts'
import { publicationNames, AccountReceipt } from './receipts.ts'
import { signUps } from './settings.ts'

const reportable = ['listing', 'review', 'organisation'] as const
export type Reportable = (typeof reportable)[number]

export const grounds = ['fraud', 'offensive', 'personal-data', 'rights', 'other'] as const

export const ReportRequest = closed({
  kind: Type.Enum(reportable, { description: 'What it is.' }),
  of: Type.String({
    minLength: 1,
    maxLength: 80,
    description: 'Which one: the id of the auction or of the review, or the short name of the collective.'
  }),
  ground: Type.Enum(grounds, { description: 'What is wrong with it.' }),
  text: Type.String({
    minLength: 10,
    maxLength: 1000,
    description: 'In your words. Admins alone read it; whoever you report is never told who did.'
  })
})
export type ReportRequest = DataOf<typeof ReportRequest>

const report = { id: Text, kind: Type.Enum(reportable), ground: Type.Enum(grounds), text: Text, reported_at: Text }

export const OwnReport = closed({
  ...report,
  decision: nullable(Type.Enum(['removed', 'kept'])),
  decided_at: nullable(Text)
})

/** A report as an admin sees it. */
export const WaitingReport = closed({
  ...report,
  reporter: Text,
  of: nullable(Text, 'Null where it is gone.'),
  shown: nullable(Text, 'What is reported, in its own words.'),
  page: nullable(Text)
})

export const ReportDecision = closed({
  decision: Type.Enum(['remove', 'keep'], { description: '`remove` takes the thing out of sight at once.' }),
  reason: Type.String({
    minLength: 3,
    maxLength: 1000,
    description: 'Written down. The seller of a listing that is cancelled by it sees it: name nobody.'
  })
})
export type ReportDecision = DataOf<typeof ReportDecision>

export const Id = Type.String({ pattern: idPattern, description: 'Id, as the account shows it.' })

export const Done = closed({ done: Text })

const OwnSession = closed({
  id: Text,
  signed_in_at: Text,
  last_used_on: Text,
  expires_at: Text,
  is_this_one: Type.Boolean()
})

const Publication = closed({ scope: Type.Enum(publicationNames), meaning: Text, is_public: Type.Boolean() })

/** What the pages of the account show; the export has more. */
export const Account = closed({
  username: Text,
  roles: Texts,
  since: Text,
  signed_in_at: Text,
  is_fresh: Type.Boolean({ description: 'Whether the sign-in is new enough for what cannot be taken back.' }),
  notice_version: Text,
  publications: Type.Array(Publication),
  receipts: Type.Array(AccountReceipt),
  sessions: Type.Array(OwnSession),
  keys: Type.Array(OwnKey),
  passkeys: Type.Array(Passkey),
  mail: nullable(MailAddress),
  profile: Profile,
  organisation: nullable(OwnOrganisation),
  reports: Type.Array(OwnReport, { description: 'What the person reported, and what was decided; the newest first.' }),
  limits: closed({ session_per_minute: Count, keys_per_minute: Type.Record(Text, Count) })
})

export const Ways = closed({
  codes: Type.Boolean({ description: 'One-time codes that the operator gives.' }),
  passkeys: Type.Boolean({ description: 'Passkeys of browsers.' }),
  mail: Type.Boolean({ description: 'One-time codes by mail, for people whose address is confirmed.' }),
  sign_up: Type.Enum(signUps, { description: 'Who may make an account.' }),
  terms_version: Type.String({ description: 'Version of the terms that a new account agrees to.' })
})

export const Asked = closed({
  request: Type.String({ description: 'Sent back with the code: it works with this alone. Treat it as a secret.' }),
  next: Text
})

export const Address = Type.String({ format: 'email', maxLength: 254, description: 'Mail address.' })
export const Request = Type.String({
  minLength: 1,
  maxLength: 80,
  description: 'What was answered when the code was asked for.'
})
export const MailedCode = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'The code that was mailed, with or without its hyphen.'
})

export const Terms = closed({
  version: Text,
  title: Text,
  summary: Text,
  operator: Text,
  sections: Type.Array(closed({ title: Text, text: Text }))
})

export const Username = Type.String({ minLength: 1, maxLength: 80, description: 'Username.' })

/** Bodies with which an admin changes the role or the suspension of a person, or the scope or the tier of a key. */
const ActReason = Type.Optional(
  Type.String({ minLength: 3, maxLength: 300, description: 'Why. It is written down with what was done.' })
)

export const Change = closed({ change: Type.Enum(['give', 'take']) })
export const RoleChange = closed({ change: Type.Enum(['give', 'take']), reason: ActReason })
export const SuspensionChange = closed({ change: Type.Enum(['suspend', 'resume']), reason: ActReason })
export const Revocation = closed({ reason: ActReason })
export const TierChange = closed({ tier: Type.Enum(tierNames) })

export const KeyRequest = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 80, description: 'What the key is for.' }),
    contact: Type.String({ minLength: 3, maxLength: 200, description: 'Whom to ask about it.' }),
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 365, description: 'After how many days it ends; without it, never.' })
    )
  },
  { additionalProperties: false }
)

/** The only response that contains the text of a key. */
export const NewKey = closed({ key: Text, made: OwnKey })

export const AccountsOverview = closed({
  people: Type.Array(Person),
  keys: Type.Array(Key),
  acts: Type.Array(Act),
  organisations: Type.Array(KnownOrganisation),
  tiers: Type.Array(Type.Enum(tierNames)),
  scopes: Type.Array(Type.Enum(scopes))
})

export const Notice = closed({
  version: Text,
  title: Text,
  operator: Text,
  readers: Text,
  tables: Type.Array(closed({ table: Text, kept: Text, columns: Type.Array(closed({ column: Text, purpose: Text })) })),
  publications: Type.Array(closed({ scope: Type.Enum(publicationNames), meaning: Text })),
  rights: Texts
})

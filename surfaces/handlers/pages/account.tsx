import { closed } from 'pantry/data'
import { defineForm, definePage, Type } from 'pantry/page'
import { ReviewList } from '../../coverage/hunt/cases.ts'
import { CaseSheet } from '../../coverage/hunt/page.tsx'
import { ReviewRequest } from '../../coverage/hunt/rules.ts'
import { ReportSheet } from '../../market/page/desk.tsx'
import { accountForms, AccountView } from '../../people/page/account.tsx'
import { MailedCodeForm, MailForm, SessionForm, SignInForm } from '../../people/page/forms.tsx'
import { leadingTo, NextPath } from '../../people/page/next.tsx'
import { ConfirmForm, SignInWays, SignUpForm } from '../../people/page/sign-in.tsx'
import { Account, Asked, Done, Ways } from '../../people/schemas.ts'
import { InboxShown, ReplyRequest } from '../../playful/inbox.ts'

const account = '/account'
const signedIn = 'You are signed in.'
const Name = Type.String({ maxLength: 80 })
const Code = Type.String({ maxLength: 40 })

const next = Type.Optional(NextPath)

const ask = defineForm({
  shows: { ways: Ways },
  fields: closed({ address: Type.String({ maxLength: 254 }), invitation: Type.Optional(Name), next }),
  reply: Asked,
  toBody: ({ address, invitation = '' }) => ({ address, ...(invitation === '' ? {} : { invitation }) }),
  view: ({ shown: { ways }, form: { invitation, next }, sent: { data }, formToken }) =>
    data && {
      title: 'Make an account',
      main: (
        <>
          <p role="status">{data.next}</p>
          <ConfirmForm
            token={formToken}
            request={data.request}
            invitation={invitation}
            termsVersion={ways.terms_version}
            next={next}
          />
        </>
      )
    }
})

const confirm = defineForm({
  done: 'Welcome! Your account is made, and you are signed in.',
  shows: { ways: Ways },
  fields: closed({
    request: Name,
    code: Code,
    username: Name,
    terms_version: Type.Optional(Type.String({ maxLength: 20 })),
    invitation: Type.Optional(Name),
    next
  }),
  reply: Done,
  // A box that is not ticked is not sent.
  toBody: ({ request, code, username, terms_version: terms = '', invitation = '' }) => ({
    request,
    code,
    username,
    terms_version: terms,
    ...(invitation === '' ? {} : { invitation })
  }),
  view: ({ shown: { ways }, form: { request, invitation, next }, sent: { data }, formToken }) =>
    data === undefined
      ? {
          title: 'No account was made yet',
          main: (
            <ConfirmForm
              token={formToken}
              request={request}
              invitation={invitation}
              termsVersion={ways.terms_version}
              next={next}
            />
          )
        }
      : { seeOther: next ?? account }
})

export const signUp = definePage({
  query: Type.Object({ next }),
  shows: { ways: Ways },
  forms: { ask, confirm },
  view: ({
    shown: {
      ways: { sign_up: signUp }
    },
    query: { next },
    formToken
  }) => ({
    title: 'Make an account',
    main:
      signUp === 'closed' ? (
        <>
          <p>Accounts are made by the operator here. You need none to look at anything.</p>
          <p>
            <a href={leadingTo('/account/sign-in', next)}>Sign in</a>
          </p>
        </>
      ) : (
        <SignUpForm token={formToken} isByInvitation={signUp === 'invite'} next={next} />
      )
  })
})

const signInForm = defineForm({
  done: signedIn,
  fields: closed({ username: Name, code: Code, next }),
  reply: Done,
  toBody: ({ username, code }) => ({ username, code }),
  view: ({ form: { next }, sent: { data }, formToken }) =>
    data === undefined
      ? { title: 'You are not signed in yet', main: <SignInForm token={formToken} next={next} /> }
      : { seeOther: next ?? account }
})

const mail = defineForm({
  fields: closed({ username: Name, next }),
  reply: Asked,
  toBody: ({ username }) => ({ username }),
  view: ({ form: { next }, sent: { data }, formToken }) => ({
    title: data === undefined ? 'No code was sent' : 'A code by mail',
    main:
      data === undefined ? (
        <MailForm token={formToken} next={next} />
      ) : (
        <>
          <p role="status">{data.next}</p>
          <MailedCodeForm
            action="/account/sign-in/mailed"
            token={formToken}
            request={data.request}
            button="Sign in"
            next={next}
          />
        </>
      )
  })
})

const mailed = defineForm({
  done: signedIn,
  fields: closed({ request: Name, code: Code, next }),
  reply: Done,
  toBody: ({ request, code }) => ({ request, code }),
  view: ({ form: { request, next }, sent: { data }, path, formToken }) =>
    data === undefined
      ? {
          title: 'You are not signed in yet',
          main: <MailedCodeForm action={path} token={formToken} request={request} button="Sign in" next={next} />
        }
      : { seeOther: next ?? account }
})

export const signIn = definePage({
  query: Type.Object({ next }),
  shows: { ways: Ways },
  forms: { sign_in: signInForm, mail, mailed },
  view: ({ shown: { ways }, query: { next }, formToken }) => ({
    title: 'Sign in',
    scripts: ['passkey.js'],
    main: <SignInWays token={formToken} ways={ways} next={next} />
  })
})

export default definePage({
  besides: { account: Account, ways: Ways },
  forms: accountForms,
  view: ({
    beside: {
      account: { data: account },
      ways: { data: ways }
    },
    formToken
  }) =>
    account === undefined
      ? {
          title: 'Sign in',
          scripts: ['passkey.js'],
          main: (
            <>
              <p>
                You need no account to look at anything here. With one you can give keys to your agents, and choose what
                others may see.
              </p>
              <SignInWays token={formToken} ways={ways} />
            </>
          )
        }
      : {
          title: 'Your account',
          scripts: ['passkey.js'],
          main: <AccountView account={account} token={formToken} hasMail={ways?.mail === true} />
        }
})

export const leave = definePage({
  shows: { account: Account },
  forms: {
    leave: defineForm({
      title: 'You have not left',
      done: 'Your account is erased. Goodbye!',
      fields: closed({ username: Type.String({ maxLength: 80 }) }),
      then: account
    })
  },
  view: ({
    shown: {
      account: { username, is_fresh: isFresh }
    },
    path,
    formToken
  }) => ({
    title: 'Leave',
    main: (
      <>
        <p>
          Your username, your sessions, your keys and all that you agreed to are erased at once, and your keys are
          refused from then on. Nobody can bring them back.
        </p>
        {!isFresh && (
          <p class="note">
            This needs a sign-in that is less than ten minutes old.{' '}
            <a href={leadingTo('/account/sign-in', path)}>Sign in again</a>
          </p>
        )}
        <SessionForm action="/account/leave" token={formToken} button="Erase my account" harms>
          <label for="username">To be sure, write your username: {username}</label>
          <input
            type="text"
            id="username"
            name="username"
            required
            maxLength={80}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
          />
        </SessionForm>
        <p>
          <a href="/account">Stay</a>
        </p>
      </>
    )
  })
})

export const inbox = definePage({
  shows: { inbox: InboxShown },
  forms: {
    reply: defineForm({ title: 'The reply was not saved', done: 'The reply is saved.', fields: ReplyRequest }),
    remove: defineForm({ title: 'The report was not deleted', done: 'The report is deleted.' })
  },
  view: ({
    shown: {
      inbox: { reports }
    },
    formToken
  }) => ({
    title: 'Reports to answer',
    main: (
      <>
        <p class="lead">
          What people wrote to you, and let you keep. A reply is public only where its sender allowed it; a report never
          is.
        </p>
        {reports.length === 0 && <p>No reports.</p>}
        {reports.map(report => (
          <ReportSheet of={report} token={formToken} />
        ))}
      </>
    )
  })
})

export const hunt = definePage({
  shows: { hunt: ReviewList },
  forms: {
    review: defineForm({ title: 'The review was not saved', done: 'The review is saved.', fields: ReviewRequest })
  },
  view: ({
    shown: {
      hunt: { cases }
    },
    formToken
  }) => ({
    title: 'Cases to review',
    main: (
      <>
        <p class="lead">
          Three agents look at a candidate of the <a href="/coverage">coverage board</a>, one after another, and then a
          person reads what they say. What comes of it is a note: nothing is applied.
        </p>
        {cases.length === 0 && <p>No cases yet.</p>}
        {cases.map(one => (
          <CaseSheet of={one} token={formToken} />
        ))}
      </>
    )
  })
})

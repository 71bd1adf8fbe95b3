import { closed } from 'pantry/data'
import { defineForm, definePage, Refused, Type } from 'pantry/page'
import { ReviewList } from '../../coverage/hunt/cases.ts'
import { CaseSheet } from '../../coverage/hunt/page.tsx'
import { ReviewRequest } from '../../coverage/hunt/rules.ts'
import { ReportSheet } from '../../pages/desk.tsx'
import { accountForms, AccountView } from '../../people/page/account.tsx'
import { MailedCodeForm, SessionForm, SignInForm } from '../../people/page/forms.tsx'
import { ConfirmForm, SignInWays, SignUpForm } from '../../people/page/sign-in.tsx'
import { Account, Asked, Done, Ways } from '../../people/schemas.ts'
import { InboxShown, ReplyRequest } from '../../playful/inbox.ts'

const Name = Type.String({ maxLength: 80 })
const Code = Type.String({ maxLength: 40 })

const ask = defineForm({
  shows: { ways: Ways },
  fields: closed({ address: Type.String({ maxLength: 254 }), invitation: Type.Optional(Name) }),
  limitBytes: 1024,
  reply: Asked,
  toBody: ({ address, invitation = '' }) => ({ address, ...(invitation === '' ? {} : { invitation }) }),
  view: ({ shown: { ways }, form: { invitation }, sent: { data, reason }, formToken, back }) => ({
    title: 'Make an account',
    main:
      data === undefined ? (
        <Refused reason={reason} back={back} />
      ) : (
        <>
          <p role="status">{data.next}</p>
          <ConfirmForm
            token={formToken}
            request={data.request}
            invitation={invitation}
            termsVersion={ways.terms_version}
          />
        </>
      )
  })
})

const confirm = defineForm({
  fields: closed({
    request: Name,
    code: Code,
    username: Name,
    terms_version: Type.Optional(Type.String({ maxLength: 20 })),
    invitation: Type.Optional(Name)
  }),
  limitBytes: 2048,
  reply: Done,
  // A box that is not ticked is not sent.
  toBody: ({ terms_version: terms = '', invitation = '', ...form }) => ({
    ...form,
    terms_version: terms,
    ...(invitation === '' ? {} : { invitation })
  }),
  view: ({
    form: { request, username, terms_version: terms = '', invitation },
    sent: { data, reason },
    formToken,
    back
  }) =>
    data === undefined
      ? {
          title: 'Make an account',
          main: (
            <>
              <Refused reason={reason} back={back} />
              {terms !== '' && (
                <ConfirmForm
                  token={formToken}
                  request={request}
                  username={username}
                  invitation={invitation}
                  termsVersion={terms}
                />
              )}
            </>
          )
        }
      : { seeOther: '/account' }
})

export const signUp = definePage({
  shows: { ways: Ways },
  forms: { ask, confirm },
  view: ({
    shown: {
      ways: { sign_up: signUp }
    },
    formToken
  }) => ({
    title: 'Make an account',
    main:
      signUp === 'closed' ? (
        <>
          <p>Accounts are made by the operator here. You need none to look at anything.</p>
          <p>
            <a href="/account/sign-in">Sign in</a>
          </p>
        </>
      ) : (
        <SignUpForm token={formToken} isByInvitation={signUp === 'invite'} />
      )
  })
})

const account = '/account'

const signInForm = defineForm({
  fields: closed({ username: Name, code: Code }),
  limitBytes: 1024,
  reply: Done,
  view: ({ form: { username }, sent: { data, reason }, formToken }) =>
    data === undefined
      ? { title: 'Sign in', main: <SignInForm token={formToken} username={username} refused={reason} /> }
      : { seeOther: account }
})

const mail = defineForm({
  fields: closed({ username: Name }),
  limitBytes: 1024,
  reply: Asked,
  view: ({ sent: { data, reason }, formToken, back }) => ({
    title: 'A code by mail',
    main:
      data === undefined ? (
        <Refused reason={reason} back={back} />
      ) : (
        <>
          <p role="status">{data.next}</p>
          <MailedCodeForm action="/account/sign-in/mailed" token={formToken} request={data.request} button="Sign in" />
        </>
      )
  })
})

const mailed = defineForm({
  fields: closed({ request: Name, code: Code }),
  limitBytes: 1024,
  reply: Done,
  view: ({ form: { request }, sent: { data, reason }, path, formToken, back }) =>
    data === undefined
      ? {
          title: 'Sign in',
          main: (
            <>
              <Refused reason={reason} back={back} />
              <MailedCodeForm action={path} token={formToken} request={request} button="Try again" />
            </>
          )
        }
      : { seeOther: account }
})

export const signIn = definePage({
  shows: { ways: Ways },
  forms: { sign_in: signInForm, mail, mailed },
  view: ({ shown: { ways }, formToken }) => ({
    title: 'Sign in',
    scripts: ['passkey.js'],
    main: <SignInWays token={formToken} ways={ways} />
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
                You need no account to look at anything here. With one you can give keys to your agents, and say what of
                yours may be public.
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
    leave: defineForm({ title: 'Leave', fields: closed({ username: Type.String({ maxLength: 80 }) }), then: '/' })
  },
  view: ({
    shown: {
      account: { username, is_fresh: isFresh }
    },
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
            This needs a sign-in that is less than ten minutes old. <a href="/account/sign-in">Sign in again</a>
          </p>
        )}
        <SessionForm action="/account/leave" token={formToken} button="Erase my account">
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
    reply: defineForm({ title: 'Reply to a report', fields: ReplyRequest, limitBytes: 20_480 }),
    remove: defineForm({ title: 'Delete a report' })
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
        {reports.length === 0 && <p>There is no report.</p>}
        {reports.map(report => (
          <ReportSheet of={report} token={formToken} />
        ))}
      </>
    )
  })
})

export const hunt = definePage({
  shows: { hunt: ReviewList },
  forms: { review: defineForm({ title: 'Review a case', fields: ReviewRequest, limitBytes: 8192 }) },
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
        {cases.length === 0 && <p>There is no case yet.</p>}
        {cases.map(one => (
          <CaseSheet of={one} token={formToken} />
        ))}
      </>
    )
  })
})

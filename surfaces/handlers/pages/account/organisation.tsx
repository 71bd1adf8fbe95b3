import { definePage } from 'pantry/page'
import { OwnForm } from '../../../accounts/page/forms.tsx'
import { Account } from '../../../accounts/schemas.ts'
import { OrganisationForm } from '../../../collectors/page/organisation.tsx'

export default definePage({
  shows: { account: Account },
  view: ({
    shown: {
      account: { organisation, publications }
    },
    formToken
  }) => {
    const isAgreed = publications.some(({ scope, is_public: isPublic }) => scope === 'organisation' && isPublic)
    return {
      title: 'Your collective',
      main: (
        <>
          <p>
            A club, shop or other collective that you speak for can be listed in the{' '}
            <a href="/organisations">directory of collectives</a>, as you describe it. Nobody checks what you write.
          </p>
          {organisation !== null && (
            <p role="status">
              {organisation.approved_at === null
                ? 'The entry waits for the operator, who approves that it is shown.'
                : isAgreed
                  ? 'The entry is listed.'
                  : 'The entry is approved, and not listed.'}
              {!isAgreed && (
                <>
                  {' '}
                  It is shown only with your receipt: agree to it <a href="/account">under your account</a>.
                </>
              )}
            </p>
          )}
          <OrganisationForm token={formToken} entry={organisation} />
          {organisation !== null && (
            <OwnForm action="/account/organisation/remove" token={formToken} button="Take the entry away" />
          )}
          <p>
            <a href="/account">Your account</a>
          </p>
        </>
      )
    }
  }
})

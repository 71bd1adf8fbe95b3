// Makes passkeys and signs in with them. Browsers know them by names: on this machine that is `localhost`, never an
// address (WebAuthn Level 3, section 5.1.2).
if (location.hostname === '127.0.0.1' || location.hostname === '[::1]') location.hostname = 'localhost'

// The script is in `assets/`, beside everything else of the service, which may be under a path.
const at = path => new URL(`..${path}`, import.meta.url)

const post = async (path, body) => {
  const answer = await fetch(at(path), { method: 'POST', credentials: 'same-origin', headers: { 'Content-Type': 'application/json' }, ...body === undefined ? {} : { body: JSON.stringify(body) } })
  const { data, error } = await answer.json()
  if (!answer.ok) throw new Error(error?.message ?? 'This did not work.')
  return data
}

const acts = {
  async make () {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await post('/api/v1/account/passkeys/options'))
    const made = await navigator.credentials.create({ publicKey })
    await post('/api/v1/account/passkeys', { name: `Passkey of ${new Date().toISOString().slice(0, 10)}`, response: made.toJSON() })
  },
  async 'sign-in' () {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await post('/api/v1/account/sign-in/passkey/options'))
    const asserted = await navigator.credentials.get({ publicKey })
    await post('/api/v1/account/sign-in/passkey', { response: asserted.toJSON() })
  }
}

for (const button of document.querySelectorAll('button[data-passkey]')) {
  if (globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === undefined) continue
  button.closest('[hidden]')?.removeAttribute('hidden')
  button.addEventListener('click', async () => {
    const said = button.parentElement.querySelector('[role=status]')
    try {
      await acts[button.dataset.passkey]()
      location.assign(at(document.querySelector('input[name=next]')?.value ?? '/account'))
    } catch (error) {
      said.textContent = error.name === 'NotAllowedError' ? 'No passkey was given. You can try again.' : error.message
    }
  })
}

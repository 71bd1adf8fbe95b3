// Completes names of cards while one types. Without it the form does the same when it is sent. The script is in
// `assets/`, beside everything else of the service, which may be under a path.
const delay = 150

for (const input of document.querySelectorAll('form.search input[name=q]')) {
  const list = document.getElementById(input.getAttribute('list') ?? '')
  if (list === null) continue
  let timer
  let asked
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      const q = input.value.trim()
      if (q === '') return
      asked?.abort()
      asked = new AbortController()
      const game = input.form.elements.namedItem('game')?.value ?? ''
      try {
        const answer = await fetch(new URL(`../api/v1/search/suggest?${new URLSearchParams({ q, ...game === '' ? {} : { game } })}`, import.meta.url), { signal: asked.signal })
        if (!answer.ok) return
        const { data: { suggestions } } = await answer.json()
        list.replaceChildren(...suggestions.map(({ name, game: of }) => new Option(of, name)))
      } catch {
        // What is typed can still be sent.
      }
    }, delay)
  })
}

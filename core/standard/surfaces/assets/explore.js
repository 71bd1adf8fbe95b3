// Finds surfaces while one types. Without it the form does the same when it is sent.
const input = document.querySelector('form.search input[name=q]')
const none = document.querySelector('[data-none]')
const items = [...document.querySelectorAll('ul.surfaces > li')]

input?.addEventListener('input', () => {
  const words = input.value.toLowerCase().split(/\s+/)
  let found = 0
  for (const item of items) {
    item.hidden = !words.every(word => item.dataset.text.includes(word))
    if (!item.hidden) found += 1
  }
  for (const area of document.querySelectorAll('[data-area]')) {
    area.hidden = area.querySelector('li:not([hidden])') === null
    area.open = input.value.trim() !== ''
  }
  none.hidden = found > 0
})

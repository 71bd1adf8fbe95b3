// Puts the cursor into a search field when `/` is pressed outside of any field: that of the page, or else of the menu.
document.addEventListener('keydown', event => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
  if (event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')) return
  const field = ['main', 'header'].map(part => document.querySelector(`${part} form[role=search] input[type=search]`)).find(Boolean)
  if (field === undefined) return
  event.preventDefault()
  field.focus()
  field.select()
})

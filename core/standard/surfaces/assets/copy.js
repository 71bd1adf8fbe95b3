// Puts a button beside each command that copies it. Without it the text can be selected.
for (const text of document.querySelectorAll('pre:has(> code)')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy secondary'
  const { copy = 'Copy', copied = 'Copied' } = text.dataset
  button.textContent = copy
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text.textContent)
    button.textContent = copied
    setTimeout(() => { button.textContent = copy }, 1500)
  })
  text.after(button)
}

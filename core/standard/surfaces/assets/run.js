// Makes the same request from this browser, to show its headers and how long it takes.
const section = document.querySelector('.answer[data-url]')

if (section !== null) {
  const [output, details] = [section.querySelector('output'), section.querySelector('details')]
  const begun = performance.now()
  try {
    const answer = await fetch(section.dataset.url)
    await answer.arrayBuffer()
    output.textContent = section.dataset.took.replace('{ms}', Math.round(performance.now() - begun))
    details.querySelector('pre').textContent = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
    details.hidden = false
  } catch {
    output.textContent = section.dataset.failed
  }
}

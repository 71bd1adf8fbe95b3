// Shows each time in the zone of the reader, with UTC beside it.
const format = new Intl.DateTimeFormat(document.documentElement.lang, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short'
})
for (const time of document.querySelectorAll('time[datetime*="T"]')) {
  const moment = new Date(time.dateTime)
  if (Number.isNaN(moment.getTime()) || moment.getTimezoneOffset() === 0) continue
  const utc = document.createElement('small')
  utc.textContent = `(${time.textContent})`
  time.replaceChildren(format.format(moment), ' ', utc)
}

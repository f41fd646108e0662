// Sets the colour scheme before the first paint. A file of its own, because the page's policy allows no inline script.
;(function () {
  var stored = null
  try {
    stored = localStorage.getItem('pkdex-color-scheme')
  } catch {
    // Storage is blocked: the system's preference decides.
  }
  var dark =
    stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
